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
  /** Selector for what the card leaves visible. */
  keepsClear?: string
}

const canvas = ({ ref }: Sample) => `/projects/${ref}`
const block = (id: string | null) => `.react-flow__node[data-id="${id}"]`

export const STEPS: TourStep[] = [
  {
    id: 'canvas',
    title: t`A project is a canvas`,
    text: t`Notes, tasks, files and agents are blocks on a canvas that everyone on the project sees live. Use these tools to add blocks, then drag them and connect them with lines.`,
    path: canvas,
    target: () => '[data-tour="tools"]',
    keepsClear: '.canvas-block:not(.canvas-group)',
  },
  {
    id: 'agent',
    title: t`Agents work on the canvas`,
    text: t`Run it and watch: it reads the connected blocks, adds its findings as notes, and asks you before it saves a file. This run is recorded, so it needs no model.`,
    path: canvas,
    target: ({ agentBlockId }) => block(agentBlockId),
  },
  {
    id: 'file',
    title: t`Files belong to projects`,
    text: t`Members and agents share a project’s files, such as these interviews. Drop files on the canvas to add them. Previous versions are kept.`,
    path: canvas,
    target: ({ fileBlockId }) => block(fileBlockId),
  },
  {
    id: 'chat',
    title: t`Ask in a conversation`,
    text: t`Here, the agent read the interviews and replied. It can also change the canvas and files, and asks you first when it matters. Every reply has its run, steps and cost.`,
    path: ({ sessionId, ref }) => (sessionId ? `/chat/${sessionId}` : `/projects/${ref}`),
    target: () => '[data-tour="message"]',
  },
  {
    id: 'search',
    title: t`Find everything again`,
    text: t`Search projects, files, messages and settings by name or content. Press Ctrl K anywhere. Home lists your pending decisions.`,
    path: () => '/',
    target: () => '[data-tour="search"]',
  },
  {
    id: 'model',
    title: t`Connect your model`,
    text: t`What you saw was a recording. Connect a model, and agents work on your own questions: with a provider’s API key, or a model server of your own.`,
    path: () => '/settings/organization/models',
    target: () => '[data-tour="connect"]',
  },
]
