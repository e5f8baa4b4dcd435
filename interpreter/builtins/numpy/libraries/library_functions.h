// The tables of numpy's native functions about selection, order, joining, linear algebra, signals
// and files, and of the array methods among them.
#pragma once

#include <span>

#include "interpreter/runtime/call/call.h"

namespace strider::lang {

std::span<const NativeRow> index_functions();
std::span<const NativeRow> sort_functions();
std::span<const NativeRow> join_functions();
std::span<const NativeRow> memory_functions();
std::span<const NativeRow> product_functions();
std::span<const NativeRow> signal_functions();
std::span<const NativeRow> file_functions();
std::span<const NativeRow> mapping_functions();

std::span<const NativeRow> array_index_methods();
std::span<const NativeRow> array_sort_methods();
std::span<const NativeRow> array_join_methods();
std::span<const NativeRow> array_product_methods();
std::span<const NativeRow> array_file_methods();

}  // namespace strider::lang
