-- One row per session: a conversation with an agent in a project. `key` identifies the chat, thread, issue or caller of
-- a third party, so that its next message continues the session. (The table `sessions` has the sessions of browsers.)
create table agent_sessions (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  agent_id uuid not null,
  title text,
  status text not null default 'open' check (status in ('open', 'ended')),
  key text,
  origin text not null default 'chat' check (origin in ('chat', 'provider', 'call', 'api')),
  -- The number of the last message; the next one takes the number after it.
  message_seq bigint not null default 0,
  -- The run that answers the newest messages, while it has not ended.
  active_run_id uuid,
  -- The session and the number of the message from which this session branched.
  branched_from uuid,
  branched_at_seq bigint,
  version integer not null default 1,
  created_by uuid references users,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  last_message_at timestamptz(3) not null,
  ended_at timestamptz(3),
  -- When the conversation was deleted. The row stays, because runs refer to it.
  deleted_at timestamptz(3),
  primary key (org_id, id),
  foreign key (org_id, project_id) references projects,
  foreign key (org_id, agent_id) references agents
);
create unique index agent_sessions_key on agent_sessions (org_id, key) where key is not null;
create index agent_sessions_recent on agent_sessions (org_id, last_message_at desc, id desc) where deleted_at is null;
create index agent_sessions_project on agent_sessions (org_id, project_id, last_message_at desc, id desc)
  where deleted_at is null;
create index agent_sessions_agent on agent_sessions (org_id, agent_id, last_message_at desc, id desc)
  where deleted_at is null;

-- One row per participant of a session.
create table session_participants (
  org_id uuid not null,
  session_id uuid not null,
  user_id uuid not null references users,
  added_by uuid references users,
  added_at timestamptz(3) not null,
  primary key (org_id, session_id, user_id),
  foreign key (org_id, session_id) references agent_sessions
);
create index session_participants_user on session_participants (org_id, user_id);

-- One row per message of a session. `content` has the parts exactly as the model receives them.
create table messages (
  org_id uuid not null,
  session_id uuid not null,
  seq bigint not null,
  id uuid not null,
  role text not null check (role in ('user', 'assistant', 'tool', 'note')),
  run_id uuid,
  step integer,
  author_id uuid references users,
  content jsonb not null,
  -- The text of the content, for search and lists.
  body text not null default '',
  trust text not null check (trust in ('trusted', 'verified', 'untrusted')),
  state text not null default 'sent' check (state in ('sent', 'queued')),
  created_at timestamptz(3) not null,
  primary key (org_id, session_id, seq),
  unique (org_id, id),
  foreign key (org_id, session_id) references agent_sessions
);
create index messages_body on messages using gin (org_id, to_tsvector('simple', body)) where body <> '';
create index messages_run on messages (org_id, run_id) where run_id is not null;
create index messages_queued on messages (org_id, session_id) where state = 'queued';

-- A run that the server executes has an agent; a run without an agent is reported by a program.
alter table runs drop constraint runs_status_check;
alter table runs
  add constraint runs_status_check
    check (status in ('queued', 'running', 'waiting', 'succeeded', 'failed', 'canceled')),
  add session_id uuid,
  add agent_id uuid,
  add agent_version integer,
  add parent_run_id uuid,
  add parent_step integer,
  add parent_ordinal integer,
  add depth smallint not null default 0,
  add trigger text not null default 'api'
    check (trigger in ('message', 'provider_event', 'call', 'api', 'schedule', 'block')),
  add trust text not null default 'trusted' check (trust in ('trusted', 'verified', 'untrusted')),
  add model text,
  -- The API key that started the run, if any; its scopes apply to every call of the run.
  add key_id uuid,
  add block_id uuid,
  -- The reason for which a waiting run waits: { "for": "approval", "since": …, "until": … }.
  add wait jsonb,
  -- The number of the last claim. Every write of a worker compares it with the number of the worker's own claim.
  add lease integer not null default 0,
  -- When the next step is due; while a worker has claimed the run, when its lease expires. Null if nothing is due.
  add due_at timestamptz(3),
  add cancel_requested_at timestamptz(3),
  add canceled_by uuid references users,
  -- The number of the next event of the run.
  add next_seq bigint not null default 1,
  add max_steps integer,
  add deadline_at timestamptz(3),
  add provider_failures integer not null default 0,
  add retry_since timestamptz(3),
  add tokens_in bigint not null default 0,
  add tokens_out bigint not null default 0,
  add error_code text,
  add event_id uuid;
create index runs_session on runs (org_id, session_id, id desc) where session_id is not null;
create index runs_agent on runs (org_id, agent_id, id desc) where agent_id is not null;
create index runs_recent on runs (org_id, id desc) where agent_id is not null;
create index runs_parent on runs (org_id, parent_run_id) where parent_run_id is not null;
create index runs_due on runs (org_id, due_at) where due_at is not null;

-- One row per attempt of a step: one model call.
create table run_steps (
  org_id uuid not null,
  run_id uuid not null,
  n integer not null,
  attempt integer not null,
  state text not null check (state in ('streaming', 'done', 'interrupted', 'failed')),
  model text not null,
  -- The response messages verbatim, with provider-specific options.
  content jsonb,
  finish text,
  usage jsonb,
  cost numeric(20, 6),
  -- The messages, the summary and the number of tokens that the model received: { "fromSeq", "toSeq", "summaryId",
  -- "tokens" }.
  context jsonb,
  error_code text,
  error text,
  started_at timestamptz(3) not null,
  first_token_at timestamptz(3),
  finished_at timestamptz(3),
  primary key (org_id, run_id, n, attempt),
  foreign key (org_id, run_id) references runs
);

-- One row per tool call.
create table run_calls (
  org_id uuid not null,
  run_id uuid not null,
  step integer not null,
  ordinal integer not null,
  -- The id that the model gave the call.
  call_id text not null,
  tool text not null,
  input jsonb not null,
  effect text not null check (effect in ('read', 'transaction', 'idempotent', 'once')),
  risk text not null check (risk in ('none', 'send', 'spend', 'delete', 'share', 'execute')),
  state text not null
    check (state in ('pending', 'approval', 'running', 'waiting', 'done', 'failed', 'denied', 'canceled', 'unknown')),
  attempts integer not null default 0,
  output jsonb,
  output_file_id uuid,
  error_code text,
  approval_id uuid,
  child_run_id uuid,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  primary key (org_id, run_id, step, ordinal),
  foreign key (org_id, run_id) references runs
);

-- One row per tool call that waits, or waited, for the decision or the answer of a person.
create table approvals (
  org_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  step integer not null,
  ordinal integer not null,
  project_id uuid not null,
  session_id uuid,
  agent_id uuid not null,
  kind text not null check (kind in ('approval', 'input')),
  tool text not null,
  risk text not null,
  input jsonb not null,
  edited_input jsonb,
  -- A sentence that names the action, its target and the people whom it affects.
  summary text not null,
  requested_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  decision text check (decision in ('approved', 'denied', 'answered', 'expired', 'canceled', 'superseded')),
  decided_by uuid references users,
  decided_at timestamptz(3),
  note text,
  scope text check (scope in ('once', 'session', 'agent')),
  primary key (org_id, id),
  foreign key (org_id, run_id) references runs
);
create unique index approvals_call on approvals (org_id, run_id, step, ordinal);
create index approvals_open on approvals (org_id, requested_at desc, id desc) where decision is null;
create index approvals_all on approvals (org_id, requested_at desc, id desc);
create index approvals_expiring on approvals (expires_at) where decision is null;

-- One row per grant ("Always allow"): a tool that needs no further approval in a session, or for an agent.
create table approval_grants (
  org_id uuid not null,
  id uuid not null,
  agent_id uuid not null,
  session_id uuid,
  tool text not null,
  granted_by uuid not null references users,
  granted_at timestamptz(3) not null,
  primary key (org_id, id),
  foreign key (org_id, agent_id) references agents
);
create unique index approval_grants_tool on approval_grants
  (org_id, agent_id, coalesce(session_id, '00000000-0000-0000-0000-000000000000'), tool);

-- One row per event in the stream of a run. Events are deleted a week after the run ends; its messages stay.
create table run_events (
  org_id uuid not null,
  run_id uuid not null,
  seq bigint not null,
  type text not null,
  data jsonb not null,
  at timestamptz(3) not null,
  primary key (org_id, run_id, seq)
);

-- One row per summary, which replaces the messages up to `upto_seq` in the context of the model; the messages stay.
create table summaries (
  org_id uuid not null,
  session_id uuid not null,
  id uuid not null,
  upto_seq bigint not null,
  content text not null,
  model text not null,
  tokens_before integer not null,
  tokens_after integer not null,
  created_at timestamptz(3) not null,
  primary key (org_id, session_id, upto_seq),
  foreign key (org_id, session_id) references agent_sessions
);

-- One row per entry of the usage ledger, which is append-only. The primary key prevents a second entry if the end of a
-- step is repeated.
create table usage (
  org_id uuid not null,
  id uuid not null,
  project_id uuid not null,
  run_id uuid not null,
  step integer not null,
  attempt integer not null,
  call_ordinal integer not null default 0,
  kind text not null check (kind in ('tokens', 'call', 'sms', 'tool', 'payment')),
  agent_id uuid,
  user_id uuid,
  key_id uuid,
  provider text not null,
  model text not null,
  quantity jsonb not null,
  unit_cost jsonb,
  cost numeric(20, 6),
  price_source text not null check (price_source in ('operator', 'provider', 'table', 'estimate', 'unknown')),
  at timestamptz(3) not null,
  primary key (org_id, run_id, step, attempt, kind, call_ordinal)
);
create index usage_time on usage (org_id, at desc, id desc);
create index usage_project on usage (org_id, project_id, at desc);

-- `run`: audit entries of runs.
alter table audit drop constraint audit_via_check;
alter table audit add constraint audit_via_check check (via in ('session', 'key', 'system', 'run'));
