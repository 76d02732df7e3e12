import type { TOUR_STEPS } from '../../contract/home/home-options.ts'
import { t } from '../../contract/text.ts'
import type { Sample } from '../state/tour.ts'

export interface TourStep {
  id: (typeof TOUR_STEPS)[number]
  title: string
  text: string
  path: (sample: Sample) => string
  /** Selector for the element the step points at. */
  target: (sample: Sample) => string
}

const canvas = ({ ref }: Sample) => `/projects/${ref}`
const block = (id: string | null) => `.react-flow__node[data-id="${id}"]`

export const STEPS: TourStep[] = [
  {
    id: 'canvas',
    title: t`A project is a canvas`,
    text: t`Notes, tasks, files and agents are blocks on one canvas, which everyone on the project sees live. These tools add blocks; drag them, and connect them with lines.`,
    path: canvas,
    target: () => '[data-tour="tools"]',
  },
  {
    id: 'agent',
    title: t`Agents work on the canvas`,
    text: t`This agent reads the blocks whose lines lead to it, and writes its answer into its block. It uses a test model, which needs no provider and costs nothing.`,
    path: canvas,
    target: ({ agentBlockId }) => block(agentBlockId),
  },
  {
    id: 'file',
    title: t`Files belong to projects`,
    text: t`People and agents share the files of a project, such as this plan. Drop files on the canvas to add them; every change keeps the previous version.`,
    path: canvas,
    target: ({ fileBlockId }) => block(fileBlockId),
  },
  {
    id: 'chat',
    title: t`Ask in a conversation`,
    text: t`Here the agent has read the plan and answered. It can change the canvas and the files too, and asks you first where that matters. Every answer has its run, its steps and its cost.`,
    path: ({ sessionId, ref }) => (sessionId ? `/chat/${sessionId}` : `/projects/${ref}`),
    target: () => '[data-tour="message"]',
  },
  {
    id: 'search',
    title: t`Find everything again`,
    text: t`One search for projects, files, messages and settings, by their names and contents. Press Ctrl K anywhere. Home lists your pending decisions.`,
    path: () => '/',
    target: () => '[data-tour="search"]',
  },
]
