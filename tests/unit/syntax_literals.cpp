// Numbers, strings and f-strings.
#include <doctest/doctest.h>

#include "syntax_support.h"

using namespace strider::syntax::test;

TEST_CASE("integers of all bases, with underscores") {
  CHECK(expression("1_000") == "Constant(value=Int(1000))");
  CHECK(expression("0xFF") == "Constant(value=Int(255))");
  CHECK(expression("0b_101") == "Constant(value=Int(5))");
  CHECK(expression("0o17") == "Constant(value=Int(15))");
  CHECK(expression("00_0") == "Constant(value=Int(0))");
}

TEST_CASE("integers beyond 64 bits keep their digits") {
  CHECK(expression("9223372036854775807") == "Constant(value=Int(9223372036854775807))");
  CHECK(expression("9_223372036854775808") == "Constant(value=BigInt(9223372036854775808))");
  CHECK(expression("0xFFFF_FFFF_FFFF_FFFF") == "Constant(value=BigInt(0xFFFFFFFFFFFFFFFF))");
}

TEST_CASE("floats and imaginary numbers") {
  CHECK(expression("1e3") == "Constant(value=Float(1000))");
  CHECK(expression(".5") == "Constant(value=Float(0.5))");
  CHECK(expression("1.") == "Constant(value=Float(1))");
  CHECK(expression("010.5") == "Constant(value=Float(10.5))");
  CHECK(expression("2.5J") == "Constant(value=Complex(2.5))");
  CHECK(expression("08j") == "Constant(value=Complex(8))");
  CHECK(expression("1e999") == "Constant(value=Float(inf))");
  CHECK(expression("1e-999") == "Constant(value=Float(0))");
}

TEST_CASE("a keyword may follow a number without a blank") {
  CHECK(expression("1if x else 2").substr(0, 5) == "IfExp");
  CHECK(expression("0xfor x") ==
        "BoolOp(op=Or(), values=[Constant(value=Int(15)), Name(id='x', ctx=Load())])");
}

TEST_CASE("string escapes") {
  CHECK(expression(R"('a\n\x41\101\u00e9\U0001F600\q')") ==
        R"(Constant(value=Str('a\x0aAA\xc3\xa9\xf0\x9f\x98\x80\x5cq')))");
  CHECK(expression(R"('\ud800')") == R"(Constant(value=Str('\xed\xa0\x80')))");
  CHECK(expression(R"(r'\n')") == R"(Constant(value=Str('\x5cn')))");
  CHECK(expression(R"(b'\xff\777')") == R"(Constant(value=Bytes('\xff\xff')))");
  CHECK(expression("'a\\\nb'") == "Constant(value=Str('ab'))");
}

TEST_CASE("line ends inside strings are newlines") {
  CHECK(expression("'''a\r\nb\rc'''") == R"(Constant(value=Str('a\x0ab\x0ac')))");
}

TEST_CASE("adjacent strings are one") {
  CHECK(expression("'a' \"b\" r'\\c'") == R"(Constant(value=Str('ab\x5cc')))");
  CHECK(expression("b'a' b'b'") == "Constant(value=Bytes('ab'))");
}

TEST_CASE("f-strings mix text and fields") {
  CHECK(expression("f'a{x}b'") ==
        "JoinedStr(values=[Constant(value=Str('a')), FormattedValue(value=Name(id='x', "
        "ctx=Load()), conversion=-1, format_spec=None), Constant(value=Str('b'))])");
  CHECK(expression("f'{{}}'") == "JoinedStr(values=[Constant(value=Str('{}'))])");
  CHECK(expression("f''") == "JoinedStr(values=[])");
}

TEST_CASE("f-string fields take conversions, formats and debug text") {
  CHECK(expression("f'{x!r:>{w}}'") ==
        "JoinedStr(values=[FormattedValue(value=Name(id='x', ctx=Load()), conversion=114, "
        "format_spec=JoinedStr(values=[Constant(value=Str('>')), FormattedValue(value=Name(id='w', "
        "ctx=Load()), conversion=-1, format_spec=None)]))])");
  CHECK(expression("f'{x = }'") ==
        "JoinedStr(values=[Constant(value=Str('x = ')), FormattedValue(value=Name(id='x', "
        "ctx=Load()), conversion=114, format_spec=None)])");
  CHECK(expression("f'{x=:d}'").find("conversion=-1") != std::string::npos);
}

TEST_CASE("comparisons inside fields are no debug marks") {
  CHECK(expression("f'{a==b}'").find("Eq()") != std::string::npos);
  CHECK(expression("f'{a!=b}'").find("NotEq()") != std::string::npos);
  CHECK(expression("f'{a<=b}'").find("LtE()") != std::string::npos);
}

TEST_CASE("a field holds neither the quote of its string nor a backslash") {
  CHECK(error("f'{d['k']}'") == "SyntaxError 1:7 f-string: unmatched '['");
  CHECK(error(R"(f"{'\n'.join(x)}")") ==
        "SyntaxError 1:18 f-string expression part cannot include a backslash");
  CHECK(error("f'{f'{1}'}'") == "SyntaxError 1:6 f-string: expecting '}'");
  CHECK(expression(R"(f"{d['k']}")").find("Constant(value=Str('k'))") != std::string::npos);
  CHECK(expression(R"(f"{f'{1}'}")").find("Int(1)") != std::string::npos);
}

TEST_CASE("expressions in f-strings have their own places") {
  auto tree = parse_text("s = f'ab{cd}'");
  auto* assign = strider::syntax::node_as<strider::syntax::Assign>(tree.module->body[0]);
  auto* joined = strider::syntax::node_as<strider::syntax::JoinedStr>(assign->value);
  auto* field = strider::syntax::node_as<strider::syntax::FormattedValue>(joined->values[1]);
  CHECK(tree.source->text(field->value->span) == "cd");
  CHECK(tree.source->text(field->span) == "{cd}");
}

TEST_CASE("broken literals are reported") {
  CHECK(error("x = 'abc\n") == "SyntaxError 1:5 unterminated string literal (detected at line 1)");
  CHECK(error("x = '''a\nb\n") ==
        "SyntaxError 1:5 unterminated triple-quoted string literal (detected at line 2)");
  CHECK(error("0o8") == "SyntaxError 1:3 invalid digit '8' in octal literal");
  CHECK(error("1__0") == "SyntaxError 1:2 invalid decimal literal");
  CHECK(error("012") ==
        "SyntaxError 1:1 leading zeros in decimal integer literals are not permitted; use an 0o "
        "prefix for octal integers");
  CHECK(error("b'é'") == "SyntaxError 1:1 bytes can only contain ASCII literal characters");
  CHECK(error("'a' b'b'") == "SyntaxError 1:5 cannot mix bytes and nonbytes literals");
  CHECK(error("'\\x4'") ==
        "SyntaxError 1:1 (unicode error) 'unicodeescape' codec can't decode bytes in position 0-2: "
        "truncated \\xXX escape");
}

TEST_CASE("broken f-strings are reported") {
  CHECK(error("f'{}'") == "SyntaxError 1:6 f-string: empty expression not allowed");
  CHECK(error("f'{a'") == "SyntaxError 1:6 f-string: expecting '}'");
  CHECK(error("f'}'") == "SyntaxError 1:5 f-string: single '}' is not allowed");
  CHECK(error("f'{a b}'") ==
        "SyntaxError 1:4 f-string: invalid syntax. Perhaps you forgot a comma?");
  CHECK(error("f'{a!x}'") ==
        "SyntaxError 1:9 f-string: invalid conversion character: expected 's', 'r', or 'a'");
  CHECK(error("f'{a)}'") == "SyntaxError 1:8 f-string: unmatched ')'");
}

TEST_CASE("characters by name") {
  CHECK(expression(R"('\N{DEGREE SIGN}\N{greek small letter mu}')") ==
        R"(Constant(value=Str('\xc2\xb0\xce\xbc')))");
  CHECK(expression(R"(f'\N{DEGREE SIGN}{x}')").find(R"(Str('\xc2\xb0'))") != std::string::npos);
  CHECK(error(R"('\N{NO SUCH NAME}')") ==
        "SyntaxError 1:1 (unicode error) 'unicodeescape' codec can't decode bytes in position "
        "0-15: unknown Unicode character name");
}
