import { SPOKEN_CHARACTERS_MAX } from '../../../../contract/agents/voice-options.ts'
import { createSpeaker } from '../../../language-models/audio/speakable.ts'
import { PIECE_CHARACTERS_MAX } from '../../../language-models/audio/synthesize.ts'

/** An answer's text without Markdown, code and tables, cut between sentences. */
export function spokenPieces(answer: string): string[] {
  const speaker = createSpeaker()
  const sentences = [...speaker.add(withoutTables(answer)), ...speaker.end()].map(({ text }) => text)
  const pieces: string[] = []
  let total = 0
  let piece = ''
  for (const sentence of sentences) {
    if (total + sentence.length > SPOKEN_CHARACTERS_MAX) break
    total += sentence.length
    if (piece.length + sentence.length > PIECE_CHARACTERS_MAX) {
      pieces.push(piece)
      piece = ''
    }
    piece += sentence
  }
  return [...pieces, piece].map((text) => text.trim()).filter(Boolean)
}

/** The speaker skips code itself, but reads tables row by row. */
const withoutTables = (answer: string) => answer.replace(/^[ \t]*\|.*\|[ \t]*$\n?/gm, '')
