import { Check, X } from 'lucide-react'
import { keyAbilities } from '../../../../contract/accounts/key-abilities.ts'

/** The abilities of a key, in sentences. */
export function KeyAbilities({ scopes, readOnly }: { scopes: readonly string[]; readOnly: boolean }) {
  const { can, cannot } = keyAbilities({ scopes, readOnly })
  return (
    <div className="grid w-full gap-x-24 gap-y-12 @medium:grid-cols-2">
      <Sentences title="The key can" sentences={can} />
      <Sentences title="The key cannot" sentences={cannot} isRefused />
    </div>
  )
}

interface SentencesProps {
  title: string
  sentences: string[]
  isRefused?: boolean
}

function Sentences({ title, sentences, isRefused }: SentencesProps) {
  const Icon = isRefused ? X : Check
  return (
    <section className="min-w-0">
      <p className="mb-4 font-medium text-12 text-neutral-12">{title}</p>
      <ul aria-label={title} className="flex flex-col gap-4">
        {sentences.map((sentence) => (
          <li key={sentence} className="flex gap-8 text-13 text-neutral-11">
            <Icon
              aria-hidden
              className={`icon mt-px shrink-0 ${isRefused ? 'text-neutral-9' : 'text-good-text'}`}
            />
            {sentence}
          </li>
        ))}
      </ul>
    </section>
  )
}
