// Value: anything a program can hold, in 16 bytes. None, bool, int (64-bit) and float need no heap;
// everything else is a reference-counted Object. Knows nothing of what objects do.
#pragma once

#include <cassert>
#include <cstdint>
#include <utility>

#include "interpreter/runtime/memory/pool.h"

namespace strider::lang {

class Type;
class Attributes;

// What an object is made of in C++. Instances of a subclass keep the layout of the built-in they
// extend.
enum class Layout : std::uint8_t {
  kOther,
  kInstance,  // of a class written in the language, no built-in base
  kType,
  kStr,
  kBytes,
  kByteArray,
  kBigInt,
  kIntBox,    // an instance of a subclass of int
  kFloatBox,  // an instance of a subclass of float
  kComplex,
  kTuple,
  kList,
  kDict,
  kSet,
  kFrozenSet,
  kRange,
  kSlice,
  kIterator,
  kGenerator,
  kFunction,
  kNativeFunction,
  kBoundMethod,
  kCell,
  kModule,
  kException,
  kArray,
  kNumpyScalar,
  kDType,
  kUfunc,
  kFile,
};

// The head of every heap object: a count of references, the layout and the type.
class Object {
 public:
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  virtual ~Object() = default;
  static void* operator new(std::size_t size) { return pool::allocate(size); }
  static void operator delete(void* object, std::size_t size) { pool::release(object, size); }

  Type* type() const { return type_; }
  Layout layout() const { return layout_; }
  std::uint32_t references() const { return references_; }
  // Whether it is a Container, which the collector watches.
  bool is_container() const { return container_; }
  void retain() { ++references_; }
  void release() {
    if (--references_ == 0) destroy();
  }
  // Moves the object to another class of the same layout (subclass construction, `x.__class__ =
  // C`).
  void set_type(Type* type) { type_ = type; }
  // Marked for as long as weak references to it live (weak_reference.h).
  bool weakly_referenced() const { return weakly_referenced_; }
  void set_weakly_referenced(bool on) { weakly_referenced_ = on; }
  // Runs __del__, once in a life; whether it did now.
  bool finalize();
  // The instance's attributes if it has a __dict__, else null.
  virtual Attributes* attributes() { return nullptr; }

 protected:
  Object(Layout layout, Type* type, bool container = false)
      : type_(type), layout_(layout), container_(container) {}
  void set_layout(Layout layout) { layout_ = layout; }

 private:
  void destroy();

  Type* type_;
  std::uint32_t references_ = 0;
  Layout layout_;
  bool container_ : 1;
  bool weakly_referenced_ : 1 = false;
  bool finalized_ : 1 = false;

 protected:
  std::uint8_t flags_ = 0;  // free for the class that owns the layout
};

static_assert(sizeof(Object) == 24);

// A counted reference to an object of class T.
template <class T>
class Ref {
 public:
  Ref() = default;
  Ref(std::nullptr_t) {}
  Ref(T* object) : object_(object) {
    if (object_) object_->retain();
  }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  template <class U>
  Ref(const Ref<U>& other) : Ref(static_cast<T*>(other.get())) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() {
    if (object_) object_->release();
  }
  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }
  friend bool operator==(const Ref& a, const Ref& b) { return a.object_ == b.object_; }
  // Gives up the reference without releasing it.
  T* detach() { return std::exchange(object_, nullptr); }

 private:
  T* object_ = nullptr;
};

template <class T, class... Args>
Ref<T> make(Args&&... args) {
  return Ref<T>(new T(std::forward<Args>(args)...));
}

class Value {
 public:
  enum class Tag : std::uint8_t { kEmpty, kNone, kBool, kInt, kFloat, kObject };

  Value() : tag_(Tag::kEmpty), int_(0) {}  // "no value": unbound variable, absent argument
  Value(const Value& other) : tag_(other.tag_), int_(other.int_) {
    if (tag_ == Tag::kObject) object_->retain();
  }
  Value(Value&& other) noexcept : tag_(other.tag_), int_(other.int_) { other.tag_ = Tag::kEmpty; }
  template <class T>
  Value(const Ref<T>& object) : Value(static_cast<Object*>(object.get())) {}
  template <class T>
  Value(Ref<T>&& object) : tag_(Tag::kObject) {
    object_ = object.detach();
    assert(object_);
  }
  Value(Object* object) : tag_(Tag::kObject) {
    assert(object);
    object_ = object;
    object_->retain();
  }
  Value& operator=(const Value& other) {
    Value copy(other);
    swap(copy);
    return *this;
  }
  Value& operator=(Value&& other) noexcept {
    if (this != &other) {
      Value old(std::move(*this));
      tag_ = other.tag_;
      int_ = other.int_;
      other.tag_ = Tag::kEmpty;
    }
    return *this;
  }
  ~Value() {
    if (tag_ == Tag::kObject) object_->release();
  }

  // Takes over a value; only while this one is Empty.
  void fill(Value&& other) {
    assert(is_empty());
    tag_ = other.tag_;
    int_ = other.int_;
    other.tag_ = Tag::kEmpty;
  }

  static Value none() { return Value(Tag::kNone, 0); }
  static Value boolean(bool value) { return Value(Tag::kBool, value); }
  static Value integer(std::int64_t value) { return Value(Tag::kInt, value); }
  static Value real(double value) {
    Value result(Tag::kFloat, 0);
    result.float_ = value;
    return result;
  }

  Tag tag() const { return tag_; }
  bool is_empty() const { return tag_ == Tag::kEmpty; }
  bool is_none() const { return tag_ == Tag::kNone; }
  bool is_bool() const { return tag_ == Tag::kBool; }
  bool is_int() const { return tag_ == Tag::kInt; }  // an exact int of 64 bits (not bool)
  bool is_float() const { return tag_ == Tag::kFloat; }
  bool is_object() const { return tag_ == Tag::kObject; }
  bool has_layout(Layout layout) const { return is_object() && object_->layout() == layout; }

  bool as_bool() const { return int_ != 0; }
  std::int64_t as_int() const { return int_; }  // of bools too
  double as_float() const { return float_; }
  Object* object() const { return object_; }
  template <class T>
  T* as() const {
    return static_cast<T*>(object_);
  }

  // Whether both are the same number or object.
  friend bool identical(const Value& a, const Value& b) {
    return a.tag_ == b.tag_ && a.int_ == b.int_;
  }
  void swap(Value& other) noexcept {
    std::swap(tag_, other.tag_);
    std::swap(int_, other.int_);
  }

 private:
  Value(Tag tag, std::int64_t value) : tag_(tag), int_(value) {}

  Tag tag_;
  union {
    std::int64_t int_;
    double float_;
    Object* object_;
  };
};
static_assert(sizeof(Value) == 16);

}  // namespace strider::lang
