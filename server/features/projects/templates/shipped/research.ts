import { createCanvasBuilder } from './canvas-builder.ts'

/** A question, its sources, and a summary that a second agent challenges. */
export function research() {
  const canvas = createCanvasBuilder()
  const question = canvas.note({
    at: [0, 0],
    size: [300, 180],
    title: 'Question',
    color: 'amber',
    content: 'What do we want to know, and which decision depends on it?\n\n**Enough is known when** …',
  })
  const sources = canvas.group({ at: [0, 230], title: 'Sources', color: 'blue' }, [
    { title: 'Source 1', content: 'Title, author, date, link\n\n> The sentence that matters' },
    { title: 'Source 2', content: 'Title, author, date, link\n\n> The sentence that matters' },
  ])
  const plan = canvas.agent({
    at: [400, 0],
    size: [320, 180],
    title: 'Plan the search',
    content:
      'Divide the question into at most five parts that can be answered separately. For each part, name the kind of source that would settle it and two search terms.',
  })
  const summary = canvas.agent({
    at: [400, 260],
    size: [320, 240],
    title: 'Summarize the sources',
    content:
      'Answer the question from the sources alone. Name the source of each statement. Separate what is established, what is disputed, and what no source answers.',
  })
  const critique = canvas.agent({
    at: [820, 260],
    size: [320, 240],
    title: 'Challenge the summary',
    content:
      'Read the summary as a critic: which statements does their source not support, which source has an interest in the answer, and what would change the conclusion? Be specific.',
  })
  canvas.note({
    at: [820, 0],
    size: [320, 180],
    title: 'Decision',
    color: 'green',
    content: 'What we do now, and when we look at it again.',
  })
  canvas.connect(question, plan)
  canvas.connect(question, summary)
  for (const source of sources) canvas.connect(source, summary)
  canvas.connect(summary, critique)
  return canvas.build()
}
