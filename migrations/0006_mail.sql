-- One row per queued email. The id is derived from the cause and the recipient, so that an email is queued once per id.
-- `body` is set to null when the email has been sent.

create table mails (
  id text primary key,
  recipient text not null,
  subject text not null,
  body text,
  created_at timestamptz(3) not null,
  sent_at timestamptz(3)
);
create index mails_age on mails (created_at);
