/* sample.h - how much of a long test runs. */
#ifndef XDS_TEST_SAMPLE_H
#define XDS_TEST_SAMPLE_H

/* All of it, or one round in so many under a sanitizer: it takes ten times as long there,
 * and looks at the ways through the code and not at all answers. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SAMPLE_ONE_IN 8
#else
#define SAMPLE_ONE_IN 1
#endif

#endif
