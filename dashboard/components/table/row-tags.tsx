import { textWithNames } from '../../../contract/text-with-names.ts'

interface RowTagsProps {
  tags: string[]
  onChoose: (tag: string) => void
}

const SHOWN_MAX = 2

/** The first tags of a row; a click filters by the tag. */
export function RowTags({ tags, onChoose }: RowTagsProps) {
  const hiddenTags = tags.slice(SHOWN_MAX)
  return (
    <span className="flex items-center gap-4">
      {tags.slice(0, SHOWN_MAX).map((tag) => (
        <button
          key={tag}
          type="button"
          title={textWithNames`Filter by ${tag}`}
          onClick={() => onChoose(tag)}
          className="relative max-w-status truncate rounded-control border border-neutral-6 bg-neutral-2 px-4 text-12 text-neutral-11 hover:border-neutral-8 hover:text-neutral-12"
        >
          {tag}
        </button>
      ))}
      {hiddenTags.length > 0 && (
        <span title={hiddenTags.join(', ')} className="text-12 text-neutral-11">
          +{hiddenTags.length}
        </span>
      )}
    </span>
  )
}
