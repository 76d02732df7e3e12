import { randomUUID } from 'node:crypto'
import type { Client } from '../../client/client.ts'
import type { RequestOf } from '../../contract/endpoint.ts'
import type { Contract } from '../../contract/index.ts'

const PLAN = `# Launch, autumn

We ship **when the importer is calm**, not before.

- [x] Prices agreed with finance
- [ ] Press list

> Nothing is final before it is signed.`

const RISKS = `## Risks

1. The importer stops at rows without a date
2. Two of us are away in week 41

Run \`atrium projects export\` before the big change.`

/** Fills a canvas with every type of block that needs no file, and with connections. */
export async function seedCanvas(api: Client<Contract>, projectId: string) {
  const plan = block('text', [0, 0, 340, 330], { content: PLAN })
  const week = block('group', [440, -40, 640, 330], { title: 'Week 40' })
  const support = block('task', [470, 104, 280, 64], { title: 'Write the support rota', parentId: week.id })
  const question = block('note', [470, 360, 200, 160], { content: 'Who answers on Saturday?', color: 'blue' })
  const press = { title: 'Send the press kit', parentId: week.id, metadata: { done: true } }
  const idea = { content: '**Idea:** a calm video of two people drawing at once.', parentId: week.id }
  const page = { title: 'Landing page', content: 'https://example.com/launch?draft=3' }
  const work = { title: 'Researcher', content: 'Collect what others wrote and group it by theme.' }
  const locked = { content: '## For the board\n\nSales grew by **12 %**.', locked: true }
  const film = { title: 'The film', content: 'https://video.example.com/watch/42' }
  await api.canvas.change({
    projectId,
    create: {
      blocks: [
        plan,
        week,
        support,
        question,
        block('task', [470, 20, 280, 64], press),
        block('text', [0, 400, 340, 190], { content: RISKS, color: 'red' }),
        block('note', [790, 20, 220, 200], { ...idea, color: 'amber' }),
        block('link', [720, 360, 300, 80], page),
        block('agent', [720, 480, 300, 150], work),
        block('text', [1160, 0, 280, 140], { ...locked, color: 'green' }),
        block('embed', [1160, 200, 280, 80], film),
      ],
      edges: [
        { id: randomUUID(), fromBlockId: plan.id, toBlockId: week.id, label: 'leads to' },
        { id: randomUUID(), fromBlockId: question.id, toBlockId: support.id },
      ],
    },
  })
}

type Type = RequestOf<Contract['canvas']['create']>['type']

const block = (
  type: Type,
  [x, y, width, height]: [number, number, number, number],
  fields: Partial<RequestOf<Contract['canvas']['create']>>,
) => ({ ...fields, id: randomUUID(), type, x, y, width, height })
