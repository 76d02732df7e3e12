-- What happened that concerns a member: one row per member, in the inbox, by email, or both.

create table notifications (
  org_id uuid not null references organizations,
  user_id uuid not null references users,
  id uuid not null,
  kind text not null,
  -- What it is about: a repeated job notifies once.
  key text not null,
  -- Without its actor, whose present name stands before it.
  title text not null,
  path text not null,
  actor_id uuid references users,
  -- Of a guest.
  actor_name text,
  -- What the person must still be able to see.
  role text check (role in ('admin', 'owner')),
  project_id uuid,
  comment_id uuid,
  connection_id uuid,
  created_at timestamptz(3) not null,
  read_at timestamptz(3),
  -- Whether the next digest contains it.
  is_digest_due boolean not null default false,
  primary key (org_id, user_id, id),
  foreign key (org_id, project_id) references projects,
  foreign key (org_id, comment_id) references comments on delete cascade
);
create unique index notifications_key on notifications (org_id, user_id, key);
create index notifications_unread on notifications (org_id, user_id, id desc) where read_at is null;
create index notifications_digest on notifications (org_id, user_id, id desc) where is_digest_due;
create index notifications_age on notifications (created_at);
create index notifications_project on notifications (org_id, project_id) where project_id is not null;
create index notifications_comment on notifications (org_id, comment_id) where comment_id is not null;

create table notification_settings (
  org_id uuid not null references organizations,
  user_id uuid not null references users,
  -- By kind, where it is not the default.
  channels jsonb not null default '{}',
  time_zone text not null default 'UTC',
  -- Null unless a kind has the channel `digest`.
  digest_due_at timestamptz(3),
  updated_at timestamptz(3) not null,
  primary key (org_id, user_id)
);
create index notification_settings_due on notification_settings (digest_due_at) where digest_due_at is not null;

-- For the header of mails from which people can unsubscribe with one click.
alter table mails add column unsubscribe_url text;
