// What arrays of records consist of, and what the files that work with them natively share.
#pragma once

#include "interpreter/builtins/numpy/elements/boxed_classes.h"
#include "interpreter/types/sequences/sequence.h"

namespace strider::lang::record_parts {

struct RecordClasses {
  Type* array = nullptr;
  Type* record = nullptr;
  Type* dtype_class = nullptr;
  Type* attribute_array = nullptr;   // whose fields are attributes
  Type* attribute_record = nullptr;  // np.record
  Name parts = intern("_parts");
  Name shape = intern("shape");
  Name places = intern("_places");
  Name columns = intern("_columns");
  Name whole = intern("_whole");
  Name dtype = intern("dtype");
  Name names = intern("_names");
  Name of_records = intern("_of_records");
  Name found = intern("_found");
  Name source = intern("_source");
  Name place = intern("_place");
};

RecordClasses& known();

// The attribute of an object; null where there is none.
inline const Value* attribute(const Value& self, Name name) { return boxed_attribute(self, name); }
// The elements of each field; null where they are no list.
const List* columns_of(const Value& array);
// The elements of a field of all records; null where there is no such field.
const Value* find_column(const Value& array, const Value& name);
// Whether an array is no view, so that its places are those of its columns, and has one axis.
bool is_whole_line(const Value& array);

// An array of the same class and fields; `whole`: no view, so that places are those of the columns.
Value make_records(const Value& places, const Value& columns, const Value& dtype, const Value& base,
                   bool whole);

// The fields that a list of names chooses, as a view; Empty for other subscripts.
Value chosen_fields(const Value& self, const Value& key);
// r[:] = other, where both are whole arrays of numpy's own class with one dtype; false for others.
bool store_whole_records(const Value& self, const Value& key, const Value& value);
// Gives the class of arrays of records native methods.
void add_record_methods(Type& type);

}  // namespace strider::lang::record_parts
