/* Wine before 9 lacks this library of Windows 8 and newer, from which Rust's standard library takes random numbers. */
#include <windows.h>

/* RtlGenRandom; declared here because the header of MinGW hides it. */
BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) {
  return SystemFunction036(data, (ULONG)length);
}
