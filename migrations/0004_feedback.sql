-- One row per feedback submission of a member.
create table feedback (
  org_id uuid not null references organizations,
  id uuid not null,
  user_id uuid not null references users,
  message text not null,
  metadata jsonb not null,
  status text not null default 'open'
    check (status in ('open', 'triaged', 'linked', 'handed_off', 'resolved', 'declined')),
  task_id text,
  idempotency_key text,
  comment_count integer not null default 0,
  version integer not null default 1,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (org_id, id)
);
create index feedback_submitter on feedback (org_id, user_id, id desc);
create unique index feedback_idempotency on feedback (org_id, user_id, idempotency_key)
  where idempotency_key is not null;
-- The operator queue lists the feedback of all organizations, newest first, with any status or with one.
create unique index feedback_queue on feedback (id desc);
create index feedback_queue_status on feedback (status, id desc);

create table feedback_comments (
  org_id uuid not null,
  feedback_id uuid not null,
  id uuid not null,
  author_id uuid not null references users,
  author_role text not null check (author_role in ('owner', 'admin', 'member', 'operator')),
  body text not null,
  created_at timestamptz(3) not null,
  primary key (org_id, feedback_id, id),
  foreign key (org_id, feedback_id) references feedback (org_id, id)
);

-- One row per status change by an operator; `note` is the operator's note on it.
create table feedback_changes (
  org_id uuid not null,
  feedback_id uuid not null,
  id uuid not null,
  operator_id uuid not null references users,
  from_status text not null,
  to_status text not null,
  task_id text,
  note text,
  created_at timestamptz(3) not null,
  primary key (org_id, feedback_id, id),
  foreign key (org_id, feedback_id) references feedback (org_id, id)
);
