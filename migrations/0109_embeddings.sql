-- Vectors of passages, by which a search also finds other words with the same meaning. Derived from passages and the
-- organization's choice of an embedder.

-- One row per model that an organization embeds with. While the vectors of a new model are made, the former serves.
create table passage_embedders (
  org_id uuid not null references organizations,
  id uuid not null,
  -- `provider/model`
  model text not null,
  state text not null check (state in ('building', 'serving', 'retired')),
  -- Length of its vectors. Null before the first.
  dimensions integer,
  -- Sources up to this one are queued, of those from before the model was chosen. Null: all are.
  queued_to uuid,
  due_at timestamptz(3),
  attempts smallint not null default 0,
  -- Why it waits: for members.
  problem text,
  -- Until then only for projects above their budget, so another project's passages needn't wait.
  is_idle boolean not null default false,
  -- Grows with each queued source, so that one queued at the end of a batch is not lost.
  revision integer not null default 1,
  created_at timestamptz(3) not null,
  primary key (org_id, id)
) with (fillfactor = 80);
create unique index passage_embedders_state on passage_embedders (org_id, state) where state <> 'retired';
create index passage_embedders_due on passage_embedders (org_id, due_at) where due_at is not null;

-- Sources with passages that may have no vector yet.
create table passage_embedding_queue (
  org_id uuid not null,
  embedder_id uuid not null,
  source_id uuid not null,
  queued_at timestamptz(3) not null,
  revision integer not null default 1,
  primary key (org_id, embedder_id, source_id),
  foreign key (org_id, embedder_id) references passage_embedders on delete cascade,
  foreign key (org_id, source_id) references passage_sources on delete cascade
);
create index passage_embedding_queue_first on passage_embedding_queue (org_id, embedder_id, queued_at, source_id);
create index passage_embedding_queue_source on passage_embedding_queue (org_id, source_id);

-- The signs of a vector's numbers: every search reads all of them, so they have a table of their own.
create table passage_embeddings (
  org_id uuid not null,
  source_id uuid not null,
  ordinal integer not null,
  embedder_id uuid not null,
  -- Null if the model refused the text.
  code bit varying,
  primary key (org_id, source_id, ordinal, embedder_id),
  foreign key (org_id, embedder_id) references passage_embedders,
  foreign key (org_id, source_id) references passage_sources on delete cascade
);
create index passage_embeddings_embedder on passage_embeddings (org_id, embedder_id);

-- The numbers from -127 to 127, a byte each. Read for the passages whose codes are nearest.
create table passage_vectors (
  org_id uuid not null,
  source_id uuid not null,
  ordinal integer not null,
  embedder_id uuid not null,
  vector bytea not null,
  primary key (org_id, source_id, ordinal, embedder_id),
  foreign key (org_id, source_id, ordinal, embedder_id) references passage_embeddings on delete cascade
);
-- Numbers from a model don't compress.
alter table passage_vectors alter column vector set storage external;

-- `embedding`: passages and questions that a model turned into vectors. Existing rows need no check: all of them meet
-- the former constraint.
alter table usage drop constraint usage_kind_check;
alter table usage add constraint usage_kind_check
  check (kind in ('tokens', 'guardrail', 'call', 'sms', 'tool', 'payment', 'transcription', 'speech', 'description',
    'embedding')) not valid;
