// Written from gpu/argument.rs by PELLUCID_UPDATE=1 cargo nextest run headers; do not edit.
#pragma once

typedef unsigned int u32;
typedef unsigned long long u64;

// Where a field lies: NVRTC has no headers and spells it in its own way.
#ifdef __CUDACC_RTC__
#define OFFSET_OF(type, field) __INTADDR__(&(((type*)0)->field))
#else
#define OFFSET_OF(type, field) __builtin_offsetof(type, field)
#endif

// A column of codes.
struct CodeColumn {
    // The first plane of the column.
    u32 first;
    // The number of bits of a code. The top bit is set if tests are sets.
    u32 bits;
};
static_assert(sizeof(CodeColumn) == 8, "size");
static_assert(OFFSET_OF(CodeColumn, first) == 0, "offset");
static_assert(OFFSET_OF(CodeColumn, bits) == 4, "offset");

// A test of a condition.
struct CodeTest {
    u32 column;
    u32 low;
    u32 high;
};
static_assert(sizeof(CodeTest) == 12, "size");
static_assert(OFFSET_OF(CodeTest, column) == 0, "offset");
static_assert(OFFSET_OF(CodeTest, low) == 4, "offset");
static_assert(OFFSET_OF(CodeTest, high) == 8, "offset");

// The votes of a condition and the label that receives them.
struct ConditionVote {
    u32 label;
    u32 votes;
};
static_assert(sizeof(ConditionVote) == 8, "size");
static_assert(OFFSET_OF(ConditionVote, label) == 0, "offset");
static_assert(OFFSET_OF(ConditionVote, votes) == 4, "offset");

// The argument of all kernels.
struct SurveyWork {
    // [column][example]: codes.
    const u32* codes;
    // The requested examples.
    const u32* rows;
    const CodeColumn* columns;
    u32* planes;
    // [condition + 1]: its first test; the last entry is the end.
    const u32* starts;
    const CodeTest* tests;
    const ConditionVote* ballots;
    // [condition][words], or [row]: a label.
    u32* out;
    u64 examples;
    u32 row_count;
    u32 words;
    u32 column_count;
    u32 condition_count;
    u32 first_word;
    u32 word_count;
};
static_assert(sizeof(SurveyWork) == 96, "size");
static_assert(OFFSET_OF(SurveyWork, codes) == 0, "offset");
static_assert(OFFSET_OF(SurveyWork, rows) == 8, "offset");
static_assert(OFFSET_OF(SurveyWork, columns) == 16, "offset");
static_assert(OFFSET_OF(SurveyWork, planes) == 24, "offset");
static_assert(OFFSET_OF(SurveyWork, starts) == 32, "offset");
static_assert(OFFSET_OF(SurveyWork, tests) == 40, "offset");
static_assert(OFFSET_OF(SurveyWork, ballots) == 48, "offset");
static_assert(OFFSET_OF(SurveyWork, out) == 56, "offset");
static_assert(OFFSET_OF(SurveyWork, examples) == 64, "offset");
static_assert(OFFSET_OF(SurveyWork, row_count) == 72, "offset");
static_assert(OFFSET_OF(SurveyWork, words) == 76, "offset");
static_assert(OFFSET_OF(SurveyWork, column_count) == 80, "offset");
static_assert(OFFSET_OF(SurveyWork, condition_count) == 84, "offset");
static_assert(OFFSET_OF(SurveyWork, first_word) == 88, "offset");
static_assert(OFFSET_OF(SurveyWork, word_count) == 92, "offset");

// The kernels of survey.cu.
#define SURVEY_KERNELS(KERNEL) \
    KERNEL(lay_planes, SurveyWork) \
    KERNEL(match_rows, SurveyWork) \
    KERNEL(vote_rows, SurveyWork)
