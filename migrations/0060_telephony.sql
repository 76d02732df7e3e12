-- Telephony: numbers, routing rules, voice agents, calls and text messages. Calls and text messages to a number become
-- sessions of agents.

-- One row per number, which belongs to an account at a carrier.
create table phone_numbers (
  org_id uuid not null references organizations,
  id uuid not null,
  e164 text not null,
  provider text not null check (provider in ('twilio')),
  -- The ids of the number and of its account at the carrier.
  provider_id text not null,
  account_id text not null,
  -- The connection with the account at the carrier; null for the operator's account.
  connection_id uuid,
  label text,
  capabilities jsonb not null,
  status text not null default 'active' check (status in ('active', 'error', 'released')),
  status_reason text,
  -- The URLs to which the carrier sends requests, as of the last check: { voice, sms, status }.
  urls jsonb not null default '{}',
  configures_urls boolean not null,
  project_id uuid not null,
  owner_id uuid not null references users,
  settings jsonb not null default '{}',
  -- Grows with every change that receiving depends on.
  version integer not null default 1,
  checked_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  released_at timestamptz(3),
  primary key (org_id, id),
  foreign key (org_id, connection_id) references connections,
  foreign key (org_id, project_id) references projects
);
-- The URL of a number contains its id, and not that of the organization.
create unique index phone_numbers_id on phone_numbers (id);
-- A number belongs to one organization at a time.
create unique index phone_numbers_e164 on phone_numbers (e164) where released_at is null;
create index phone_numbers_project on phone_numbers (org_id, project_id);
create index phone_numbers_connection on phone_numbers (org_id, connection_id) where connection_id is not null;

-- One row per routing rule, which decides which agent, workflow or person answers a call or a text message. Agents have
-- the rights of the member who last changed the rule.
create table routing_rules (
  org_id uuid not null references organizations,
  id uuid not null,
  name text not null,
  priority integer not null,
  enabled boolean not null,
  match jsonb not null,
  action jsonb not null,
  fallback jsonb not null,
  owner_id uuid not null references users,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, id)
);
create index routing_rules_order on routing_rules (org_id, priority, id);

-- One row per voice agent: a voice of another provider that speaks for an agent.
create table voice_agents (
  org_id uuid not null references organizations,
  id uuid not null,
  provider text not null check (provider in ('openai', 'elevenlabs')),
  provider_agent_id text,
  agent_id uuid not null,
  project_id uuid not null,
  connection_id uuid,
  -- The member with whose rights runs start. The rights are read again for each run.
  owner_id uuid not null references users,
  tool_secret_hash bytea not null,
  -- The secret of the webhook at the provider, encrypted; null for the secret of the operator's account.
  webhook_secret_sealed text,
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (org_id, id),
  foreign key (org_id, agent_id) references agents,
  foreign key (org_id, project_id) references projects,
  foreign key (org_id, connection_id) references connections
);
create unique index voice_agents_id on voice_agents (id);
create unique index voice_agents_provider on voice_agents (org_id, provider, provider_agent_id)
  where provider_agent_id is not null and deleted_at is null;
-- An event of the operator's account identifies the organization by this id only.
create unique index voice_agents_shared on voice_agents (provider, provider_agent_id)
  where provider_agent_id is not null and webhook_secret_sealed is null and deleted_at is null;
create index voice_agents_project on voice_agents (org_id, project_id);

-- One row per phone call.
create table calls (
  org_id uuid not null references organizations,
  id uuid not null,
  direction text not null check (direction in ('inbound', 'outbound')),
  provider text not null check (provider in ('twilio', 'openai', 'elevenlabs')),
  -- The id of the call at the provider; null until the provider has accepted an outbound call.
  provider_id text,
  number_id uuid,
  voice_agent_id uuid,
  from_number text not null,
  to_number text not null,
  project_id uuid not null,
  -- The member with whose rights the agent works; null without an agent.
  owner_id uuid references users,
  rule_id uuid,
  -- The action that answers the call, as it was when the call began.
  action jsonb not null default '{}',
  status text not null check (status in
    ('queued', 'ringing', 'in_progress', 'completed', 'busy', 'no_answer', 'failed', 'canceled', 'rejected')),
  -- The sequence number of the carrier's last status report: a report with a lower number is late.
  sequence integer not null default -1,
  agent_id uuid,
  session_id uuid,
  run_id uuid,
  started_at timestamptz(3) not null,
  answered_at timestamptz(3),
  ended_at timestamptz(3),
  duration_seconds integer,
  end_reason text,
  summary text,
  recording_file_id uuid,
  transcript_file_id uuid,
  cost numeric(14, 6),
  cost_is_estimate boolean not null default true,
  transfer jsonb,
  -- When a worker continues the transfer.
  transfer_due_at timestamptz(3),
  -- The state that the conversation needs after a restart of the server: the token of the relay, counters, the
  -- language.
  relay jsonb not null default '{}',
  -- When the server checks the status of the call, because a report of the provider may be lost.
  due_at timestamptz(3),
  -- When the server requested an outbound call from the carrier, which it does once.
  requested_at timestamptz(3),
  created_by uuid references users,
  -- The API key of the request that made the call.
  key_id uuid,
  primary key (org_id, id),
  foreign key (org_id, project_id) references projects
);
create unique index calls_id on calls (id);
create unique index calls_provider on calls (provider, provider_id) where provider_id is not null;
create index calls_started on calls (org_id, started_at desc, id desc);
create index calls_project on calls (org_id, project_id, started_at desc, id desc);
create index calls_open on calls (org_id, id) where ended_at is null;
create index calls_number on calls (org_id, number_id, started_at desc, id desc);
create index calls_session on calls (org_id, session_id) where session_id is not null;
create index calls_due on calls (due_at) where due_at is not null;
create index calls_transfer_due on calls (transfer_due_at) where transfer_due_at is not null;

-- One row per entry in the log of a call. A `key` is recorded once, so that a repeated callback changes nothing.
create table call_entries (
  org_id uuid not null,
  call_id uuid not null,
  seq integer not null,
  key text,
  at timestamptz(3) not null,
  type text not null,
  detail text,
  primary key (org_id, call_id, seq),
  foreign key (org_id, call_id) references calls on delete cascade
);
create unique index call_entries_key on call_entries (org_id, call_id, key) where key is not null;

-- One row per text message.
create table sms_messages (
  org_id uuid not null references organizations,
  id uuid not null,
  direction text not null check (direction in ('inbound', 'outbound')),
  number_id uuid not null,
  project_id uuid not null,
  -- The phone number of the other party.
  peer text not null,
  from_number text not null,
  to_number text not null,
  body text not null,
  -- The ids of the stored files.
  media jsonb not null default '[]',
  -- Inbound: the media at the carrier that are not stored yet, each { url, contentType }.
  remote_media jsonb not null default '[]',
  status text not null check (status in ('received', 'queued', 'sending', 'sent', 'delivered', 'undelivered', 'failed')),
  segments integer not null,
  encoding text not null check (encoding in ('GSM-7', 'UCS-2')),
  provider_id text,
  error_code text,
  error_message text,
  -- Outbound: a `notice` answers STOP, START or HELP; a `reply` and a `forward` are sent without a decision of a
  -- member.
  purpose text not null default 'message' check (purpose in ('message', 'reply', 'notice', 'forward')),
  -- Inbound: 'pending' until the earlier messages are handled, 'running' until its run ends. Null if the message is not
  -- handled.
  handling text check (handling in ('pending', 'running', 'done', 'failed')),
  handling_error text,
  rule_id uuid,
  session_id uuid,
  message_id uuid,
  run_id uuid,
  cost numeric(14, 6),
  cost_is_estimate boolean not null default true,
  -- Outbound: when the message is sent, or looked up at the carrier.
  due_at timestamptz(3),
  -- Outbound: when the request was sent to the carrier; null again once the result is known.
  attempted_at timestamptz(3),
  attempts integer not null default 0,
  created_by uuid references users,
  created_at timestamptz(3) not null,
  sent_at timestamptz(3),
  primary key (org_id, id),
  foreign key (org_id, number_id) references phone_numbers,
  foreign key (org_id, project_id) references projects
);
create unique index sms_messages_provider on sms_messages (org_id, provider_id) where provider_id is not null;
create index sms_messages_created on sms_messages (org_id, created_at desc, id desc);
create index sms_messages_number on sms_messages (org_id, number_id, id);
create index sms_messages_pair on sms_messages (org_id, number_id, peer, id);
create index sms_messages_peer on sms_messages (org_id, peer, id);
create index sms_messages_project on sms_messages (org_id, project_id, id);
create index sms_messages_status on sms_messages (org_id, status, id);
create index sms_messages_project_status on sms_messages (org_id, project_id, status, id);
create index sms_messages_direction on sms_messages (org_id, direction, id);
create index sms_messages_project_direction on sms_messages (org_id, project_id, direction, id);
create index sms_messages_due on sms_messages (org_id, number_id, due_at, id) where due_at is not null;
create index sms_messages_pending on sms_messages (org_id, number_id, peer, id) where handling = 'pending';
create index sms_messages_run on sms_messages (org_id, run_id) where run_id is not null;

-- One row per number that sends messages: the carrier accepts one message per second and number.
create table sms_senders (
  org_id uuid not null,
  number_id uuid not null,
  due_at timestamptz(3),
  -- Until when no other message is sent: the end of a worker's lease, or of the second after a message.
  held_until timestamptz(3),
  lease integer not null default 0,
  primary key (org_id, number_id),
  foreign key (org_id, number_id) references phone_numbers
);
create index sms_senders_due on sms_senders (org_id, due_at) where due_at is not null;

-- One row per conversation: a number, and the phone number of the other party.
create table sms_conversations (
  org_id uuid not null,
  number_id uuid not null,
  peer text not null,
  project_id uuid not null,
  session_id uuid,
  messages integer not null default 0,
  last_message_id uuid not null,
  last_at timestamptz(3) not null,
  -- The number of automatic replies since `automatic_since` without a message of a member. It is limited, because two
  -- machines could reply to each other forever.
  automatic_replies integer not null default 0,
  automatic_since timestamptz(3),
  -- When too many automatic replies paused the conversation: messages wait until a member resumes it.
  paused_at timestamptz(3),
  -- When the next received message is handled. Messages of a conversation are handled one after the other.
  due_at timestamptz(3),
  held_until timestamptz(3),
  lease integer not null default 0,
  failures integer not null default 0,
  primary key (org_id, number_id, peer),
  foreign key (org_id, number_id) references phone_numbers
);
create index sms_conversations_last on sms_conversations (org_id, last_message_id desc);
create index sms_conversations_number on sms_conversations (org_id, number_id, last_message_id desc);
create index sms_conversations_project on sms_conversations (org_id, project_id, last_message_id desc);
create index sms_conversations_project_number on sms_conversations (org_id, project_id, number_id, last_message_id desc);
create index sms_conversations_due on sms_conversations (org_id, due_at) where due_at is not null;
create index sms_conversations_paused on sms_conversations (org_id, paused_at) where paused_at is not null;

-- One row per recipient who opted out of the messages of a number.
create table sms_opt_outs (
  org_id uuid not null,
  id uuid not null,
  number_id uuid not null,
  recipient text not null,
  source text not null check (source in ('message', 'carrier', 'member')),
  created_at timestamptz(3) not null,
  primary key (org_id, number_id, recipient),
  foreign key (org_id, number_id) references phone_numbers
);
create index sms_opt_outs_number on sms_opt_outs (org_id, number_id, id desc);

-- One row per item that a carrier bills: a leg of a call, the speech of a conversation, a text message. The primary key
-- prevents a second charge. `amount` is an estimate, in US dollars, until the carrier reports its price.
create table telephony_costs (
  org_id uuid not null,
  kind text not null check (kind in ('call', 'sms')),
  -- The id of the call or of the message.
  subject_id uuid not null,
  -- The id of the leg or of the message at the carrier, or the name of a service that the carrier bills by the minute.
  item text not null,
  provider text not null,
  -- The number whose account at the carrier has the price; null if no carrier reports one.
  number_id uuid,
  project_id uuid not null,
  agent_id uuid,
  user_id uuid not null,
  key_id uuid,
  amount numeric(14, 6) not null,
  is_estimate boolean not null,
  -- When the server requests the price from the carrier.
  due_at timestamptz(3),
  attempts integer not null default 0,
  created_at timestamptz(3) not null,
  primary key (org_id, subject_id, item)
);
create index telephony_costs_due on telephony_costs (due_at) where due_at is not null;

-- One row per past day (UTC) and project: the numbers of its calls and messages, so that the summary of a month does
-- not read each call.
create table telephony_days (
  org_id uuid not null,
  day date not null,
  project_id uuid not null,
  calls bigint not null,
  seconds bigint not null,
  messages bigint not null,
  primary key (org_id, day, project_id)
);
create index telephony_days_project on telephony_days (org_id, project_id);

-- Like the function of 0038, but the difference between an estimate and the price of the carrier does not count as
-- another call.
create or replace function count_usage() returns trigger language plpgsql as $$
declare
  limited record;
  total spend%rowtype;
  share smallint;
  is_difference boolean := new.kind in ('call', 'sms') and new.attempt > 1;
begin
  insert into usage_days as d (org_id, day, kind, project_id, agent_id, model, user_id, key_id, calls, unpriced, tokens_in,
    tokens_out, cost)
  values (new.org_id, (new.at at time zone 'UTC')::date, new.kind, new.project_id, new.agent_id, new.model, new.user_id,
    new.key_id, (not is_difference)::int, (new.cost is null)::int, coalesce((new.quantity ->> 'input')::bigint, 0),
    coalesce((new.quantity ->> 'output')::bigint, 0), coalesce(new.cost, 0))
  on conflict (org_id, day, kind, project_id, agent_id, model, user_id, key_id) do update set
    calls = d.calls + excluded.calls, unpriced = d.unpriced + excluded.unpriced,
    tokens_in = d.tokens_in + excluded.tokens_in, tokens_out = d.tokens_out + excluded.tokens_out,
    cost = d.cost + excluded.cost;
  if coalesce(new.cost, 0) = 0 then
    return null;
  end if;
  perform pg_advisory_xact_lock_shared(budget_lock(new.org_id));
  for limited in
    select b.*, budget_period_start(b.period, new.at) as period_start
    from budgets_of(new.org_id, new.project_id, new.agent_id, new.user_id, new.key_id) b
    where b.period <> 'run' order by b.rank, b.scope_id, b.period
  loop
    update spend t set amount = t.amount + new.cost
    where t.org_id = new.org_id and t.scope = limited.scope and t.scope_id = limited.scope_id
      and t.period = limited.period and t.period_start = limited.period_start
    returning * into total;
    if not found then
      -- The days have the cost already.
      insert into spend as t (org_id, scope, scope_id, period, period_start, amount)
      values (new.org_id, limited.scope, limited.scope_id, limited.period, limited.period_start,
        spent_since(new.org_id, limited.scope, limited.scope_id, limited.period_start))
      on conflict (org_id, scope, scope_id, period, period_start) do update set amount = t.amount + new.cost
      returning * into total;
    end if;
    share := case when total.amount >= limited.amount then 100 when total.amount >= limited.amount * 0.8 then 80 else 0 end;
    if share > total.reported then
      perform report_budget(total, share);
    end if;
  end loop;
  return null;
end $$;

-- One row per task that a voice agent gave to an agent during a call, and how the person on the phone gets the result.
create table voice_tasks (
  org_id uuid not null,
  id uuid not null,
  voice_agent_id uuid not null,
  call_id uuid not null,
  -- The id with which the provider repeats a request.
  tool_call_id text,
  run_id uuid not null,
  -- Whether the person on the phone agreed to get the result in a text message.
  by_sms boolean not null,
  reported_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (org_id, id),
  foreign key (org_id, call_id) references calls on delete cascade
);
create unique index voice_tasks_tool_call on voice_tasks (org_id, voice_agent_id, tool_call_id)
  where tool_call_id is not null;
create index voice_tasks_run on voice_tasks (org_id, run_id);
create index voice_tasks_call on voice_tasks (org_id, call_id);

-- The project and the call of a grant for one call, with which a voice agent reads this project.
alter table app_grants
  add column project_id uuid,
  add column call_id uuid,
  add check ((project_id is null) = (call_id is null));
create index app_grants_call on app_grants (org_id, call_id) where call_id is not null;
