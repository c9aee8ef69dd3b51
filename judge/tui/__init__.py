"""The labelling desk: a packet in the terminal. It opens packets and nothing else of a study.

The rules are `judge.judgements.sitting`; this draws them and reads keys. Start it with
`judge.tui.app.run`.
"""
