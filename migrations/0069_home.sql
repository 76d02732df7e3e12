-- The home page of a member: until when its news have been seen, which of its entries the member removed, and how far the
-- guided tour is.

create table home_states (
  org_id uuid not null references organizations,
  user_id uuid not null references users,
  -- When the member last had the page open; written at most once a minute.
  seen_at timestamptz(3) not null,
  -- News are what happened since then: the end of the visit before this one.
  news_since timestamptz(3) not null,
  hides_first_steps boolean not null default false,
  -- The step of the tour that the member saw last; null before the first.
  tour_step smallint,
  tour_ended_at timestamptz(3),
  primary key (org_id, user_id)
);

create table home_dismissed (
  org_id uuid not null references organizations,
  user_id uuid not null references users,
  -- What was removed, such as `run:<id>`.
  key text not null,
  dismissed_at timestamptz(3) not null,
  primary key (org_id, user_id, key)
);

-- The failed runs of a member, newest first.
create index runs_failed on runs (org_id, created_by, id desc)
  where status = 'failed' and agent_id is not null and parent_run_id is null;
-- The newest comments of a project; it also serves what the former index did.
drop index comments_project;
create index comments_project on comments (org_id, project_id, id desc) where project_id is not null;
-- Emails that have not been sent, for operators.
create index mails_unsent on mails (created_at) where sent_at is null;
