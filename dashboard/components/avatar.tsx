import { TONES, toInitials, toneIndex } from './connectors/mark.tsx'
import { Name } from './name.tsx'

interface Person {
  id: string
  name: string
}

export function Avatar({ person }: { person: Person }) {
  return (
    <span
      aria-hidden
      title={person.name}
      className={`inline-flex size-24 shrink-0 select-none items-center justify-center rounded-round border border-card font-medium text-12 ${TONES[toneIndex(person.id)]}`}
    >
      {toInitials(person.name).slice(0, 2)}
    </span>
  )
}

const SHOWN_MAX = 3

export function Avatars({ people, label }: { people: readonly Person[]; label: string }) {
  const hiddenPeople = people.slice(SHOWN_MAX)
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
      {people.slice(0, SHOWN_MAX).map((person, index) => (
        <span key={person.id} className={index > 0 ? '-ml-8' : ''}>
          <Avatar person={person} />
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
