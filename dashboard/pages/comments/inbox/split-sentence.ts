interface Part {
  text: string
  /** The actor, or what quotation marks enclose. */
  isName: boolean
}

const QUOTED = /([“„][^“”„]+[”“])/

/** Divides a notification's sentence, so that its names can stand out. */
export function splitSentence(sentence: string, actorName = ''): Part[] {
  const startsWithActor = actorName !== '' && sentence.startsWith(actorName)
  const rest = startsWithActor ? sentence.slice(actorName.length) : sentence
  const parts = rest.split(QUOTED).map((text, index) => ({ text, isName: index % 2 === 1 }))
  return [...(startsWithActor ? [{ text: actorName, isName: true }] : []), ...parts].filter(
    ({ text }) => text !== '',
  )
}
