import { createCanvasBuilder } from './canvas-builder.ts'

/** Tasks before, on and after the day of a release, with agents that write the announcements. */
export function releaseChecklist() {
  const canvas = createCanvasBuilder()
  canvas.list({
    at: [0, 0],
    title: 'Before',
    color: 'blue',
    tasks: [
      'Agree on what is in and what is not',
      'Test the upgrade with a copy of real data',
      'Update the documentation',
      'Decide who is on call',
    ],
  })
  canvas.list({
    at: [380, 0],
    title: 'On the day',
    color: 'amber',
    tasks: ['Back up the data', 'Release', 'Check the most important pages', 'Send the announcement'],
  })
  canvas.list({
    at: [760, 0],
    title: 'After',
    color: 'green',
    tasks: ['Watch errors for two days', 'Answer the first questions', 'Write down what to do better'],
  })
  const changes = canvas.note({
    at: [0, 430],
    size: [320, 220],
    title: 'Changes',
    color: 'teal',
    content: '- New: …\n- Improved: …\n- Fixed: …\n- Needs action: …',
  })
  const notes = canvas.agent({
    at: [380, 430],
    size: [320, 220],
    title: 'Write the release notes',
    content:
      'Write release notes from the changes, for people who use the product: new, improved, fixed, in this order. One sentence for each change, and its benefit. Changes that need action come first, with the steps.',
  })
  const announcement = canvas.agent({
    at: [760, 430],
    size: [320, 220],
    title: 'Write the announcement',
    content:
      'Write an announcement of at most 120 words from the release notes: the three changes that matter most to customers, without superlatives.',
  })
  canvas.connect(changes, notes)
  canvas.connect(notes, announcement)
  return canvas.build()
}
