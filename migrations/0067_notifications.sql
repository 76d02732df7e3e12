-- One row per notification of a member, in the inbox, by email, or both.

create table notifications (
  org_id uuid not null references organizations,
  user_id uuid not null references users,
  id uuid not null,
  kind text not null,
  -- Identifies the cause of the notification, so that a repeated job notifies once.
  key text not null,
  -- The title without the actor, whose current name precedes it.
  title text not null,
  path text not null,
  actor_id uuid references users,
  -- The name of an actor who is a guest.
  actor_name text,
  -- The member sees the notification only with this role, and with access to the project, comment and connection.
  role text check (role in ('admin', 'owner')),
  project_id uuid,
  comment_id uuid,
  connection_id uuid,
  created_at timestamptz(3) not null,
  read_at timestamptz(3),
  -- Whether the next digest contains the notification.
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

-- One row per member who changed the notification settings.
create table notification_settings (
  org_id uuid not null references organizations,
  user_id uuid not null references users,
  -- The channel of each kind for which it is not the default.
  channels jsonb not null default '{}',
  time_zone text not null default 'UTC',
  -- Null unless a kind has the channel `digest`.
  digest_due_at timestamptz(3),
  updated_at timestamptz(3) not null,
  primary key (org_id, user_id)
);
create index notification_settings_due on notification_settings (digest_due_at) where digest_due_at is not null;

-- The URL that unsubscribes with one click (RFC 8058); null for emails without it.
alter table mails add column unsubscribe_url text;
