// subjects.h - texts that a pattern may match, and texts close to them.
#ifndef XDS_TEST_RE2_SUBJECTS_H
#define XDS_TEST_RE2_SUBJECTS_H

#include <string>
#include <vector>

#include "random.h"

// `n` texts to match against a pattern, which need not be well-formed.
std::vector<std::string> MakeSubjects(Random &random, const std::string &pattern,
                                      size_t n);

#endif
