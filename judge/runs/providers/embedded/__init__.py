"""The embedded search service: two modes over a corpus of short notes, with no network.

    words      what a word is, for queries and notes alike
    corpus     `runs/corpus/notes.jsonl`, read strictly; its neutral documents
    grammar    what a query asks for in each mode, or why it gets no list
    keyword    SQLite FTS5 and BM25
    semantic   latent semantic indexing
    reply      the reply body: written by `ask`, read back by `parse`
    service    the two put together, as the rest of the code sees a service

The rest of the code treats it as it treats any service: it asks for bytes, keeps them, reads them.
"""
