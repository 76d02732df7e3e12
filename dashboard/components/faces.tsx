import { createContext, type ReactNode, use, useId } from 'react'
import { Name } from './name.tsx'

/*
 * Agents are arches, people circles, projects, apps and skills squares: the shape says who acted, at 18 pixels, without reading.
 * Colors and figures come from the id, so they never change.
 */

interface FaceProps {
  size?: number
}

export interface ChosenFace {
  emoji?: string | null
  imageUrl?: string | null
}

/** By agent id: what members chose instead of the generated face. Empty where nobody is signed in. */
export const ChosenFaces = createContext<ReadonlyMap<string, ChosenFace>>(new Map())

interface AgentFaceProps extends FaceProps {
  /** An emoji or image passed here, null included, takes precedence over the stored one. */
  agent: { id: string; name: string } & ChosenFace
  /** Adds the dot of an agent at work. */
  isLive?: boolean | undefined
  /** For faces without the agent's name beside them. */
  labeled?: boolean
}

const ARCH = 'M2.5 22.5V11.5a9.5 9.5 0 0 1 19 0v11q0 .9-.9 .9H3.4q-.9 0-.9-.9z'

export function AgentFace({ agent, size = 24, isLive, labeled }: AgentFaceProps) {
  const clip = useId()
  const { hue, figure } = agentLook(agent.id)
  const { imageUrl, emoji } = { ...use(ChosenFaces).get(agent.id), ...agent }
  return (
    <span
      {...(labeled ? { role: 'img', 'aria-label': agent.name } : { 'aria-hidden': true })}
      className="relative inline-grid shrink-0 place-items-center"
    >
      <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
        <clipPath id={clip}>
          <path d={ARCH} />
        </clipPath>
        <g clipPath={`url(#${clip})`}>
          {imageUrl ? (
            <image href={imageUrl} width="24" height="24" preserveAspectRatio="xMidYMid slice" />
          ) : emoji ? (
            <>
              <rect width="24" height="24" fill={`var(--color-hue-${hue}-soft)`} />
              <text x="12" y="17.5" textAnchor="middle" fontSize="12" className="select-none">
                {emoji}
              </text>
            </>
          ) : (
            <>
              <rect width="24" height="24" fill={`var(--color-hue-${hue})`} />
              <g fill={`var(--color-hue-${hue}-soft)`}>{figure}</g>
            </>
          )}
        </g>
      </svg>
      {isLive && (
        <span className="absolute -right-2 -bottom-2 size-8 rounded-round bg-accent-mark outline-2 outline-card" />
      )}
    </span>
  )
}

/** What an arch frames: rooms, light, water, stairs, someone at the door. */
const FIGURES: ReactNode[] = [
  <path key="columns" d="M6 9.5h2.5V23H6zM10.75 6h2.5v17h-2.5zM15.5 9.5H18V23h-2.5z" />,
  <path key="door" d="M7.5 23V12.8a4.5 4.5 0 0 1 9 0V23H14V12.8a2 2 0 0 0-4 0V23z" />,
  <path key="kite" d="m12 5.2 6.4 7-6.4 7-6.4-7z" />,
  <g key="sun">
    <circle cx="12" cy="10.8" r="4.2" />
    <path d="M3 18h18v1.9H3z" />
  </g>,
  <path
    key="waves"
    d="M2 10c3.3-3 5 3 8.3 0s5-3 8.3 0 3.4 1 3.4 1v3.2c-3.3 2-5-4-8.3-1s-5 3-8.3 0S2 13.2 2 13.2zm0 7c3.3-3 5 3 8.3 0s5-3 8.3 0 3.4 1 3.4 1v2.6c-3.3 2-5-4-8.3-1s-5 3-8.3 0S2 19.6 2 19.6z"
  />,
  <path key="stairs" d="M5 23v-4h4v-4h4v-4h4V7.5h4V23z" />,
  <g key="person">
    <circle cx="12" cy="9" r="3.2" />
    <path d="M3.5 23a8.5 8.5 0 0 1 17 0z" />
  </g>,
  <g key="eyes">
    <circle cx="8.6" cy="11.8" r="2.1" />
    <circle cx="15.4" cy="11.8" r="2.1" />
    <path d="M8 16.8h8v1.8H8z" />
  </g>,
  <path key="leaf" d="M12 5.5c5.5 3 5.5 9.5 0 13-5.5-3.5-5.5-10 0-13zM11.2 17h1.6v6h-1.6z" />,
  <g key="orbit">
    <circle cx="12" cy="13" r="2.6" />
    <path
      fillRule="evenodd"
      d="M12 6.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zm0 1.8a4.7 4.7 0 1 0 0 9.4 4.7 4.7 0 0 0 0-9.4z"
    />
  </g>,
  <path key="pages" d="M6 8h12v2.2H6zM6 12.4h12v2.2H6zM6 16.8h7.5V19H6z" />,
  <path key="spark" d="M12 4.8 13.9 10.1 19.2 12 13.9 13.9 12 19.2 10.1 13.9 4.8 12 10.1 10.1z" />,
]

const HUES = 8

function agentLook(id: string) {
  const hash = hashText(id)
  return { hue: (hash % HUES) + 1, figure: FIGURES[(hash >>> 8) % FIGURES.length] }
}

/** For charts: the color of the agent's face. */
export const agentHue = (id: string) => agentLook(id).hue

/** The hue of a person, project or app, from 1 to 8. */
export const hueOf = (id: string) => ((hashText(id) >>> 8) % HUES) + 1

/** Class names, so that Tailwind finds them. */
export const HUE_TONES = [
  '',
  'bg-hue-1-soft text-hue-1',
  'bg-hue-2-soft text-hue-2',
  'bg-hue-3-soft text-hue-3',
  'bg-hue-4-soft text-hue-4',
  'bg-hue-5-soft text-hue-5',
  'bg-hue-6-soft text-hue-6',
  'bg-hue-7-soft text-hue-7',
  'bg-hue-8-soft text-hue-8',
] as const

interface Person {
  id: string
  name: string
}

export function PersonFace({ person, size = 24, ringed }: FaceProps & { person: Person; ringed?: boolean }) {
  return (
    <span
      aria-hidden
      title={person.name}
      style={{ width: size, height: size, fontSize: Math.max(8, Math.round(size * 0.4)) }}
      className={`inline-flex shrink-0 select-none items-center justify-center rounded-round font-strong leading-none tracking-normal ${ringed ? 'outline-2 outline-card' : ''} ${HUE_TONES[hueOf(person.id)]}`}
    >
      {toInitials(person.name).slice(0, 2)}
    </span>
  )
}

const PEOPLE_SHOWN_MAX = 3

export function PersonFaces({ people, label }: { people: readonly Person[]; label: string }) {
  const hiddenPeople = people.slice(PEOPLE_SHOWN_MAX)
  return (
    <span className="inline-flex items-center">
      <span className="sr-only">
        {label}:{' '}
        {people.map(({ id, name }, index) => (
          <span key={id}>
            {index > 0 && ', '}
            <Name>{name}</Name>
          </span>
        ))}
      </span>
      {people.slice(0, PEOPLE_SHOWN_MAX).map((person, index) => (
        <span key={person.id} className={index > 0 ? '-ml-4' : ''}>
          <PersonFace person={person} ringed />
        </span>
      ))}
      {hiddenPeople.length > 0 && (
        <span
          aria-hidden
          title={hiddenPeople.map(({ name }) => name).join(', ')}
          className="pl-4 text-12 text-neutral-11"
        >
          +{hiddenPeople.length}
        </span>
      )}
    </span>
  )
}

interface ProjectFaceProps extends FaceProps {
  project: { id: string; name: string; emoji: string | null }
}

/** The project's emoji, or its initial. */
export function ProjectFace({ project, size = 24 }: ProjectFaceProps) {
  return (
    <span
      aria-hidden
      style={{ width: size, height: size, fontSize: Math.round(size * (project.emoji ? 0.6 : 0.5)) }}
      className={`inline-flex shrink-0 select-none items-center justify-center rounded-square font-strong leading-none tracking-normal ${HUE_TONES[hueOf(project.id)]}`}
    >
      {project.emoji || ([...project.name.trim()][0] ?? '?').toUpperCase()}
    </span>
  )
}

/** A skill's id changes when it is imported elsewhere; its name doesn't. */
export const SkillFace = ({ name, size }: FaceProps & { name: string }) => (
  <ProjectFace project={{ id: name, name, emoji: null }} {...(size !== undefined && { size })} />
)

/** Initials for two words or a compound, otherwise the first two letters: `GC`, `GH`, `Sl`. */
export function toInitials(name: string): string {
  const [first = '?', second] = name.split(/[\s./-]+/).filter(Boolean)
  if (second) return (initial(first) + initial(second)).toUpperCase()
  const capitals = first.match(/\p{Lu}/gu) ?? []
  return capitals.length === 2
    ? capitals.join('')
    : initial(first).toUpperCase() + [...first].slice(1, 2).join('')
}

const initial = (word: string) => [...word][0] ?? ''

/** FNV-1a: neighbors in the alphabet, and ids created together, get different looks. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ character.codePointAt(0)!, 0x01000193)
  return hash >>> 0
}
