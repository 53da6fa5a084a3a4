/* case_findings.h - the report of a lint in a form that a case can hold. */
#ifndef CLI_DEV_TEST_CASE_FINDINGS_H
#define CLI_DEV_TEST_CASE_FINDINGS_H

/* What `lint -f json` has printed as lines for people, see case.h; a copy of the text
 * itself when it is not such a document. rule: its findings alone, or NULL. To be freed.
 */
char *case_findings(const char *json, const char *rule);

#endif
