"""The user's folders and what lies in them: known servers, device token, recordings, dumps. Imports gloam_shared alone."""
