import { createCanvasBuilder } from './canvas-builder.ts'

/** Messages of customers in three columns, with agents that sort them and draft answers. */
export function customerInbox() {
  const canvas = createCanvasBuilder()
  const rules = canvas.note({
    at: [0, -220],
    size: [420, 180],
    title: 'How we answer',
    color: 'teal',
    content:
      '- Friendly and short, in the language of the customer\n- No promises about dates or refunds\n- Ask a colleague about anything we do not know',
  })
  const messages = canvas.group({ at: [0, 0], title: 'New', color: 'blue' }, [
    {
      title: 'Example: invoice',
      content: 'Hello, the March invoice shows an old address. Can you correct it?',
    },
    { title: 'Example: export', content: 'Is there a way to export all of our projects at once?' },
  ])
  canvas.group({ at: [380, 0], title: 'In progress', color: 'amber' }, [
    { title: 'Assigned', content: 'Move a message here when a team member works on it.' },
  ])
  canvas.group({ at: [760, 0], title: 'Answered', color: 'green' }, [
    { title: 'Done', content: 'Move a message here when it is answered.' },
  ])
  const sort = canvas.agent({
    at: [480, -220],
    size: [300, 180],
    title: 'Sort new messages',
    content:
      'For each new message, write one line: what the customer wants, how urgent it is (high, normal, low), and who should answer. Sort by urgency.',
  })
  const draft = canvas.agent({
    at: [840, -220],
    size: [320, 180],
    title: 'Draft answers',
    content:
      'Draft an answer to each message, following the rules in “How we answer”. A person checks and sends it.',
  })
  for (const message of messages) canvas.connect(message, sort)
  canvas.connect(rules, sort)
  canvas.connect(sort, draft)
  return canvas.build()
}
