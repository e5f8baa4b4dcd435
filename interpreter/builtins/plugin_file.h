// Plug-ins of the language: shared libraries that lie beside the program.
#pragma once

#include <cstring>
#include <string>

namespace strider::lang {

// The function `entry` of lib/strider/<file> beside the program, or in STRIDER_PLUGIN_FOLDER; null,
// with the reason, where the library cannot be opened. `needs`: what it is built with.
void* find_plugin_entry(const char* file, const char* entry, const char* needs,
                        std::string& reason);

// What a plug-in offers; null, with the reason, where it cannot be opened, keeps to another
// contract or belongs to another version of the program.
template <class Offer>
struct OpenedPlugin {
  const Offer* offer = nullptr;
  std::string reason;
};
template <class Offer>
OpenedPlugin<Offer> open_plugin(const char* file, const char* entry, const char* needs,
                                int contract, const char* version) {
  OpenedPlugin<Offer> opened;
  void* found = find_plugin_entry(file, entry, needs, opened.reason);
  if (!found) return opened;
  const Offer* offer = reinterpret_cast<const Offer* (*)()>(found)();
  bool ours = offer->contract == contract && std::strcmp(offer->version, version) == 0;
  if (ours) opened.offer = offer;
  if (!ours) opened.reason = "the plug-in belongs to another version of this program";
  return opened;
}

}  // namespace strider::lang
