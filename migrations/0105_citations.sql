-- What a tool's message gave the model to cite, and what an answer cites of it.
alter table messages add column passages jsonb, add column citations jsonb;

create index messages_passages on messages (org_id, session_id, seq) where passages is not null;
