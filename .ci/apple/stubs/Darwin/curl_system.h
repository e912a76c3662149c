// What libcurl's headers, and those of CCurl, use of the system.
#pragma once
#include "darwin.h"
typedef long time_t;
#ifndef NULL
#define NULL ((void*)0)
#endif
struct timeval { long tv_sec; int tv_usec; };
typedef struct { int x[32]; } fd_set;
int fcntl(int, int, ...);
