import { randomUUID } from 'node:crypto'
import { createClient, toRoutes } from '../../client/client.ts'
import { contract } from '../../contract/index.ts'

const { ATRIUM_SERVER = 'http://127.0.0.1:3000', ATRIUM_API_KEY } = process.env
const [name = 'Board', ...tasks] = process.argv.slice(2)
const COLUMNS = ['To do', 'In progress', 'Done']
const COLUMN_WIDTH = 320
const ROW_HEIGHT = 160

const atrium = createClient<typeof contract>(toRoutes(contract), {
  baseUrl: ATRIUM_SERVER,
  headers: () => ({ authorization: `Bearer ${ATRIUM_API_KEY}` }),
})

const project = await atrium.projects.create({ name })
const headings = COLUMNS.map((title, index) => ({
  type: 'text' as const,
  content: title,
  x: index * COLUMN_WIDTH,
  y: 0,
}))
const cards = tasks.map((content, index) => ({
  id: randomUUID(),
  type: 'note' as const,
  content,
  x: 0,
  y: (index + 1) * ROW_HEIGHT,
}))
const edges = cards.slice(1).map((card, index) => ({ fromBlockId: cards[index]!.id, toBlockId: card.id }))

const { blocks } = await atrium.canvas.change({
  projectId: project.id,
  create: { blocks: [...headings, ...cards], edges },
})
console.log(`Drew ${blocks.length} blocks: ${ATRIUM_SERVER}/projects/${project.slug}`)
