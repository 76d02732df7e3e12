export type TextKind = 'passage' | 'question'

/** Families that were trained with words before each text, and find much less without them. From their model cards. */
const FAMILIES: { name: RegExp; passage: string; question: string }[] = [
  { name: /nomic-embed-text/i, passage: 'search_document: ', question: 'search_query: ' },
  {
    name: /\bmultilingual-e5.*instruct|\be5-mistral/i,
    passage: '',
    question: task('Given a question, retrieve passages that answer it'),
  },
  { name: /\be5-(small|base|large)|\bmultilingual-e5/i, passage: 'passage: ', question: 'query: ' },
  {
    name: /mxbai-embed|bge-(small|base|large)-en|snowflake-arctic-embed(?!2|-[ml]-v2)/i,
    passage: '',
    question: 'Represent this sentence for searching relevant passages: ',
  },
  { name: /snowflake-arctic-embed(2|-[ml]-v2)/i, passage: '', question: 'query: ' },
  { name: /embeddinggemma/i, passage: 'title: none | text: ', question: 'task: search result | query: ' },
  {
    name: /qwen3-embedding/i,
    passage: '',
    question: task('Given a question, retrieve passages that answer it'),
  },
]

export function addPrefix(model: string, kind: TextKind, text: string): string {
  const family = FAMILIES.find(({ name }) => name.test(model))
  return family ? family[kind] + text : text
}

function task(words: string): string {
  return `Instruct: ${words}\nQuery: `
}
