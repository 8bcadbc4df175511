/* Included before everything else that mypyc writes (setup.py).

   A class that is `acyclic` has no header for the garbage collector, yet mypyc 2.4 lets its deallocation use CPython's
   trashcan, which writes into that header: freeing one at the end of about 50 nested containers, or a chain of 24 of
   them, corrupts the heap. Such a class is simply freed. tests/bots/test_freeing.py sees it fail without this file. */
#include <CPy.h>

#undef CPy_TRASHCAN_BEGIN
#define CPy_TRASHCAN_BEGIN(op, dealloc) \
    Py_TRASHCAN_BEGIN(op, (PyType_IS_GC(Py_TYPE(op)) ? (destructor)(dealloc) : (destructor)0))
