// What pickle leaves to C++: values of plain built-in types, written as opcodes and read from them.
// Knows of objects only those that are their class and their attributes, and those of built-in
// types that a class makes again of plain arguments; of classes and functions those that are found
// under a plain name; all others and arrays stand in stdlib/pickle.
#pragma once

#include <cstdint>

#include "interpreter/runtime/call/call.h"

namespace strider::lang::pickle {

// The opcodes that are known here, of protocols 1 to 5.
enum class Opcode : unsigned char {
  kMark = '(',
  kPop = '0',
  kFloat = 'G',
  kInt32 = 'J',
  kInt8 = 'K',
  kInt16 = 'M',
  kNone = 'N',
  kText32 = 'X',
  kBytes32 = 'B',
  kBytes8 = 'C',
  kAppend = 'a',
  kAppends = 'e',
  kBuild = 'b',
  kGet8 = 'h',
  kGet32 = 'j',
  kPopToMark = '1',
  kPut8 = 'q',
  kPut32 = 'r',
  kReduce = 'R',
  kSetItem = 's',
  kTuple = 't',
  kSetItems = 'u',
  kEmptyDict = '}',
  kEmptyList = ']',
  kEmptyTuple = ')',
  kNewObject = 0x81,
  kTuple1 = 0x85,
  kTuple2 = 0x86,
  kTuple3 = 0x87,
  kTrue = 0x88,
  kFalse = 0x89,
  kLong8 = 0x8a,
  kText8 = 0x8c,
  kEmptySet = 0x8f,
  kAddItems = 0x90,
  kFrozenSet = 0x91,
  kGlobal = 0x93,
  kMemoize = 0x94,
  kFrame = 0x95,
  kByteArray = 0x96,
};

// The class PickleBuffer.
Type& buffer_type();
// write(pickler, frames, memo, object): the opcodes of an object, protocol 4 or 5, into frames.
// What is not plain is left to the pickler's method save_rest.
Value write(const Parameters& parameters);
// write_whole(object, describe, named, protocol): the pickle of protocol 4 or 5; None where a
// Pickler is needed.
// describe(object) tells (function, arguments), or a state behind them, of what is not plain, or
// None; functions of the class `named` are written by the module and the name that they tell.
Value write_whole(const Parameters& parameters);
// The text that stands for the name of a module in pickles.
Value module_name_of(std::string_view name);
// read(data, at, stack, marks, memo, unfinished, globals): follows opcodes from a place on as far
// as they are plain and their data is there; the place of the first one that is not, and the stack.
// Instances of the class `unfinished` stand for what is known later: they note their places, and
// have a method finished(state). globals: what names stand for, by "module name"; None: unknown.
Value read(const Parameters& parameters);
// read_whole(data, unfinished, globals): the object of bytes that are plain to their end, in a
// tuple; None of others.
Value read_whole(const Parameters& parameters);

}  // namespace strider::lang::pickle
