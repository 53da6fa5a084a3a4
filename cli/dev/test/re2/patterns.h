// patterns.h - a stream of patterns: given, mutated and made from RE2's grammar.
#ifndef XDS_TEST_RE2_PATTERNS_H
#define XDS_TEST_RE2_PATTERNS_H

#include <string>
#include <vector>

#include "random.h"

// One pattern of the given ones, as it is or changed, or a new one.
std::string MakePattern(Random &random, const std::vector<std::string> &given);

// The lines of a file, without those that begin with "# ".
std::vector<std::string> ReadLines(const std::string &file);
// All that stands behind "regex:" in the files below a folder.
std::vector<std::string> FindRegexes(const std::string &folder);

#endif
