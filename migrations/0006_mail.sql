-- Mails that were decided on. The id says what the mail is about and to whom, so the same news is never queued
-- twice; the text is cleared once it has been handed over.

create table mails (
  id text primary key,
  recipient text not null,
  subject text not null,
  body text,
  created_at timestamptz(3) not null,
  sent_at timestamptz(3)
);
create index mails_age on mails (created_at);
