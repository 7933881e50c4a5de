"""Emulators that speak the wire protocols of Firestore, Cloud Tasks, Pinecone and OpenAI.

The folder is a distribution of its own, `cloud_emulators`, and in this repository the package
`infra.emulators`: inside it all imports are relative. It knows nothing of the product, which meets
it only as endpoints; `openai/rules` alone answers the product's prompts.
"""
