-- Only a verified email address is unique. Any number of users may have the same unverified address, so that none of
-- them prevents the owner of the address from creating an account.
drop index users_email;
create unique index users_email on users (lower(email)) where email_verified_at is not null;
create index users_any_email on users (lower(email));

-- Whether the link was sent to the invited email address only, so that opening it verifies the address. A link that an
-- admin copied verifies nothing.
alter table invites add column is_mailed boolean not null default true;
alter table invites alter column is_mailed drop default;
alter table project_invites add column is_mailed boolean not null default true;
alter table project_invites alter column is_mailed drop default;

-- `turn` orders unsent emails: the n-th pending email of an organization is sent after the n-th of every other
-- organization. Null for sign-in emails.
alter table mails add column org_id uuid, add column turn bigint;
create index mails_turn on mails (org_id, turn) where sent_at is null;
create index mails_next_turn on mails (turn) where sent_at is null;
