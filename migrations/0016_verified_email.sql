-- Only a verified email address is unique. Any number of unverified accounts may name an address: none of them keeps the
-- person who proves it from an account of their own.
drop index users_email;
create unique index users_email on users (lower(email)) where email_verified_at is not null;
create index users_any_email on users (lower(email));

-- Whether the link went to the email address alone, so that opening it proves the address. A link that an admin copied
-- proves nothing.
alter table invites add column is_mailed boolean not null default true;
alter table invites alter column is_mailed drop default;
alter table project_invites add column is_mailed boolean not null default true;
alter table project_invites alter column is_mailed drop default;

-- Organizations take turns in sending: the turn orders unsent mail. Sign-in mail has no turn.
alter table mails add column org_id uuid, add column turn bigint;
create index mails_turn on mails (org_id, turn) where sent_at is null;
create index mails_next_turn on mails (turn) where sent_at is null;
