import { randomUUID } from 'node:crypto'
import type { Client } from '../../client/client.ts'
import type { RequestOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'

type Api = Client<Contract>
type NewBlock = RequestOf<Contract['canvas']['create']>

const PLAN = `# Launch, autumn

We ship **when the importer is calm**, not before.

- [x] Prices agreed with finance
- [x] Landing page, first draft
- [ ] Press list
- [ ] Support rota for the first week

> Nothing is final before it is signed.`

const RISKS = `## Risks

1. The importer stops at rows without a date
2. Two of us are away in week 41

Run \`atrium projects export\` before the big change.`

/** A canvas that people and agents have worked on for a while. */
export async function drawCanvas(api: Api, projectId: string) {
  const ids = Object.fromEntries(
    ['plan', 'risks', 'week', 'press', 'support', 'idea', 'question', 'site', 'agent', 'board', 'film'].map(
      (name) => [name, randomUUID()],
    ),
  ) as Record<string, string>
  const at = (
    name: string,
    type: NewBlock['type'],
    x: number,
    y: number,
    width: number,
    height: number,
    more: object = {},
  ) => ({
    id: ids[name]!,
    type,
    x,
    y,
    width,
    height,
    ...more,
  })
  await api.canvas.change({
    projectId,
    create: {
      blocks: [
        at('week', 'group', 440, -40, 640, 330, { title: 'Week 40' }),
        at('plan', 'text', 0, 0, 340, 330, { content: PLAN }),
        at('risks', 'text', 0, 400, 340, 190, { content: RISKS, color: 'red' }),
        at('press', 'task', 470, 20, 280, 64, {
          title: 'Send the press kit',
          parentId: ids.week,
          metadata: { done: true },
        }),
        at('support', 'task', 470, 104, 280, 64, { title: 'Write the support rota', parentId: ids.week }),
        at('idea', 'note', 790, 20, 220, 200, {
          content: '**Idea:** a calm video of the canvas, two people drawing at once.',
          parentId: ids.week,
          color: 'amber',
        }),
        at('question', 'note', 470, 360, 200, 160, { content: 'Who answers on Saturday?', color: 'blue' }),
        at('site', 'link', 720, 360, 300, 80, {
          title: 'Landing page',
          content: 'https://example.com/launch?draft=3',
        }),
        at('agent', 'agent', 720, 480, 300, 150, {
          title: 'Researcher',
          content: 'Collect what others wrote about the beta and group it by theme.',
        }),
        at('board', 'text', 1160, 0, 280, 140, {
          content: '## For the board\n\nSales grew by **12 %**.',
          color: 'green',
          locked: true,
        }),
        at('film', 'embed', 1160, 200, 280, 80, {
          title: 'The film',
          content: 'https://video.example.com/watch/42',
        }),
      ],
      edges: [
        { id: randomUUID(), fromBlockId: ids.plan!, toBlockId: ids.week!, label: 'leads to' },
        { id: randomUUID(), fromBlockId: ids.plan!, toBlockId: ids.risks! },
        { id: randomUUID(), fromBlockId: ids.question!, toBlockId: ids.support!, label: 'asks' },
        { id: randomUUID(), fromBlockId: ids.agent!, toBlockId: ids.site! },
        { id: randomUUID(), fromBlockId: ids.idea!, toBlockId: ids.film! },
      ],
    },
  })
  return ids
}

/** So many blocks in rows, every second one connected with the next. */
export async function drawMany(api: Api, projectId: string, count: number) {
  const all = Array.from({ length: count }, () => randomUUID())
  const words = (index: number) =>
    `**Block ${index + 1}** of ${count}\n\n- one line\n- another line with \`code\``
  for (let from = 0; from < count; from += 500) {
    const some = all.slice(from, from + 500)
    await api.canvas.change({
      projectId,
      create: {
        blocks: some.map((id, index) => ({
          id,
          type: (from + index) % 3 === 0 ? ('note' as const) : ('text' as const),
          color: ['amber', null, 'teal', 'blue', null][(from + index) % 5],
          x: ((from + index) % 50) * 280,
          y: Math.floor((from + index) / 50) * 200,
          width: 240,
          height: 140,
          content: words(from + index),
        })),
        edges: some
          .slice(1)
          .flatMap((id, index) =>
            index % 2 ? [] : [{ id: randomUUID(), fromBlockId: some[index]!, toBlockId: id }],
          ),
      },
    })
  }
  return all
}
