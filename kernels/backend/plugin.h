// What the program and a plug-in that computes on another processor agree on. Both are built
// together: the plug-in uses the functions that the program exports.
#pragma once

#include <string>

#include "kernels/backend/backend.h"

namespace strider::nd {

// Grows by one when something that both sides compile in changes.
inline constexpr int kPluginContract = 3;

struct Plugin {
  int contract = 0;
  const char* version = "";  // of the program that it belongs to
  // The backend of a device, which stays until the process ends; nothing happens on the device yet.
  // Null, with the reason, where there is no such device.
  Backend* (*open)(int number, std::string& reason) = nullptr;
};

// The plug-in's one entry, and how it is looked up. What it returns stays.
extern "C" using PluginEntry = const Plugin*();
inline constexpr const char* kPluginEntry = "strider_plugin";

// The plug-in for CUDA, opened at the first call: from STRIDER_PLUGIN_FOLDER, or the folder
// lib/strider beside the program's. Null, with the reason, where it cannot be opened.
const Plugin* cuda_plugin(std::string* reason);

// Whether NVIDIA's driver can be opened. Needs no plug-in.
bool has_nvidia_driver();

}  // namespace strider::nd
