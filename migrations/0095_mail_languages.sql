-- The language of emails to this user. Null means unknown, and English; the next sign-in stores the browser's.
alter table users add column language text;

-- The digest's line in the recipient's language; null means the title. Titles are English, and the dashboard translates them.
alter table notifications add column digest_title text;
