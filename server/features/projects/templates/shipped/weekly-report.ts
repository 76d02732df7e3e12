import { createCanvasBuilder } from './canvas-builder.ts'

/** Notes of the week, which an agent turns into a report and a short message. */
export function weeklyReport() {
  const canvas = createCanvasBuilder()
  canvas.text({
    at: [0, -120],
    size: [640, 90],
    content:
      '# Weekly report\nCollect notes on the left during the week. On Friday, run **Write the report**.',
  })
  const highlights = canvas.note({
    at: [0, 0],
    title: 'Highlights',
    color: 'green',
    content: '- What was finished\n- What customers said',
  })
  const figures = canvas.note({
    at: [0, 190],
    title: 'Figures',
    color: 'blue',
    content: '| | This week | Last week |\n|---|---|---|\n| New customers | | |\n| Revenue | | |',
  })
  const blockers = canvas.note({
    at: [0, 380],
    title: 'Blockers',
    color: 'red',
    content: '- What is stuck, and who can help',
  })
  const report = canvas.agent({
    at: [400, 120],
    size: [360, 280],
    title: 'Write the report',
    content:
      'Write the weekly report from the notes: three sentences of summary, then highlights, figures and blockers as short lists. Compare the figures with last week where both are given. Invent nothing: if a part has no notes, leave it out.',
  })
  const message = canvas.agent({
    at: [860, 120],
    size: [320, 220],
    title: 'Shorten it',
    content:
      'Shorten the report to a message of at most 80 words for the team chat. Begin with the most important point.',
  })
  for (const note of [highlights, figures, blockers]) canvas.connect(note, report)
  canvas.connect(report, message)
  return canvas.build()
}
