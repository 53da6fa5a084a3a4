// simdjson_dom.cc - read a file and parse it into simdjson's DOM, nothing else: the
// anchor that a lint of the same file is measured against.
#include <cstdio>
#include <simdjson.h>

int main(int argc, char **argv)
{
    simdjson::dom::parser parser;
    simdjson::dom::element document;

    if (argc != 2)
        return 2;
    auto error = parser.load(argv[1]).get(document);
    if (error) {
        std::fprintf(stderr, "%s\n", simdjson::error_message(error));
        return 3;
    }
    return document.is_object() ? 0 : 1;
}
