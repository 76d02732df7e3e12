-- How often the model returned no usable vector for one of the source's passages.
alter table passage_embedding_queue add column attempts smallint not null default 0;
