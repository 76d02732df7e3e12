import { call, findingParts, type Recording } from './recording.ts'

const FILE = 'interviews.md'
const SUMMARY = 'zusammenfassung.md'
const AGENT = 'Rechercheurin'
const GROUP = 'Recherche'

const SUMMARY_TEXT = `# Was uns zwölf Kundinnen und Kunden gesagt haben

**Das Abo sollte mit der Auswahl beginnen, nicht mit dem Preis.**

1. **Frisch schlägt billig.** Neun von zwölf würden zwei Euro mehr für Kaffee zahlen, der in derselben Woche geröstet wurde.
2. **Aussetzen ist wichtiger als kündigen.** Acht haben ein früheres Abo beendet, weil sich die Tüten stapelten.
3. **Die erste Tüte entscheidet.** Wer mit ihr zufrieden war, ist geblieben.

Nächster Schritt: „Diesen Monat aussetzen“ mit den 40 Kunden testen, die im Frühjahr pausiert haben.
`

export const GERMAN: Recording = {
  project: {
    name: 'Beispiel: Kaffee-Abo',
    description: 'Zeigt, wie Menschen und Agenten zusammenarbeiten. Sie können es jederzeit löschen.',
  },
  agent: { name: AGENT, description: 'Spielt im Beispielprojekt einen aufgezeichneten Lauf ab, ohne Modell' },
  file: {
    name: FILE,
    text: `# Interviews mit zwölf Kundinnen und Kunden

Rösterei Fernhill, Oktober. Jedes dauerte etwa 20 Minuten.

| Wer | Kauft | Was sie gesagt haben |
|---|---|---|
| Hanna, Pflegerin | 2 Tüten im Monat | „Der Preis fällt mir nur auf, wenn der Kaffee alt ist.“ |
| Piotr, Lehrer | 1 Tüte im Monat | „Mein letztes Abo habe ich gekündigt, weil sechs Tüten herumstanden.“ |
| Amara, Designerin | 3 Tüten im Monat | „Die erste Tüte war ein Treffer, deshalb bin ich geblieben.“ |
| Luis, Koch | 4 Tüten im Monat | „Lasst mich im August aussetzen, dann bleibe ich jahrelang.“ |
| Mei, Studentin | 1 Tüte im Monat | „Sagt mir, wann geröstet wurde. Mehr will ich nicht wissen.“ |
| Jonas, Ingenieur | 2 Tüten im Monat | „Zwei Euro mehr sind in Ordnung, wenn er frisch ist.“ |

## Über alle zwölf gezählt

- 9 würden für Kaffee aus derselben Woche mehr zahlen
- 8 haben ein früheres Abo beendet, weil sich die Tüten stapelten
- 7 nennen die erste Tüte als Grund, warum sie geblieben sind
- 2 vergleichen Preise
`,
  },
  notes: [
    {
      title: 'Ziel',
      content: '**200 Abos bis März**, und nach drei Monaten sind noch mindestens acht von zehn dabei.',
    },
    {
      title: 'Für wen',
      content:
        'Für Menschen, die ein bis vier Tüten im Monat trinken und denen Frische wichtiger ist als Seltenheit.',
    },
  ],
  group: GROUP,
  tasks: ['Zwölf Interviews führen', 'Erkenntnisse gemeinsam lesen', '„Aussetzen“ testen'],
  work: {
    instructions:
      'Lesen Sie die Interviews mit Blick auf unser Ziel. Fügen Sie die drei wichtigsten Erkenntnisse als Notizen hinzu und speichern Sie eine Zusammenfassung, die wir teilen können.',
    parts: [
      [
        { command: 'say', text: 'Ich lese zuerst die Interviews.' },
        { command: 'wait', ms: 500 },
        call('read_file', { file: FILE }),
      ],
      ...findingParts({ agent: AGENT, group: GROUP }, [
        {
          title: 'Frisch schlägt billig',
          content:
            '**9 von 12** würden für Kaffee aus derselben Woche mehr zahlen. Nur zwei vergleichen Preise.',
          color: 'green',
          say: 'In den meisten geht es um Frische.',
        },
        {
          title: 'Aussetzen ist wichtig',
          content:
            '**8 von 12** haben ein früheres Abo beendet, weil sich Tüten stapelten, nicht wegen des Preises.',
          color: 'amber',
          say: 'Das zweite Muster ist, warum Menschen gegangen sind.',
        },
        {
          title: 'Die erste Tüte entscheidet',
          content: '**7 von 12** sind wegen der ersten Tüte geblieben. Sie verdient unsere beste Röstung.',
          color: 'blue',
          say: 'Und ein Grund zu bleiben fällt auf.',
        },
      ]),
      [
        { command: 'wait', ms: 600 },
        { command: 'say', text: 'Jetzt die Zusammenfassung. Vor dem Speichern frage ich nach.' },
        call('write_file', { name: SUMMARY, text: SUMMARY_TEXT }),
      ],
      [
        { command: 'wait', ms: 400 },
        { command: 'say', text: '**Beginnen Sie mit der Auswahl, nicht mit dem Preis.**' },
        { command: 'say', text: '' },
        {
          command: 'say',
          text: '1. **Frisch schlägt billig:** 9 von 12 würden für frische Röstung mehr zahlen.',
        },
        { command: 'say', text: '2. **Aussetzen ist wichtig:** 8 von 12 gingen, weil sich Tüten stapelten.' },
        { command: 'say', text: '3. **Die erste Tüte entscheidet:** 7 von 12 sind ihretwegen geblieben.' },
        { command: 'say', text: '' },
        {
          command: 'say',
          text: 'Nächster Schritt: „Diesen Monat aussetzen“ mit den 40 Kunden testen, die im Frühjahr pausiert haben.',
        },
      ],
    ],
  },
  chat: {
    title: 'Was gehen wir zuerst an?',
    question: 'Lesen Sie die Interviews: Welche Erkenntnis sollten wir zuerst angehen?',
    parts: [
      [
        { command: 'say', text: 'Ich sehe nach, was die zwölf gesagt haben.' },
        { command: 'wait', ms: 400 },
        call('read_file', { file: FILE }),
      ],
      [
        { command: 'wait', ms: 400 },
        { command: 'say', text: 'Gehen Sie zuerst das **Aussetzen** an.' },
        { command: 'say', text: '' },
        {
          command: 'say',
          text: 'Acht von zwölf haben ein früheres Abo beendet, weil sich die Tüten stapelten. Ein Knopf „Diesen Monat aussetzen“ ist schnell gebaut und behebt den häufigsten Grund.',
        },
        { command: 'say', text: '' },
        { command: 'say', text: '| Erkenntnis | Kunden | Aufwand |' },
        { command: 'say', text: '|---|---|---|' },
        { command: 'say', text: '| Einen Monat aussetzen lassen | 8 von 12 | Tage |' },
        { command: 'say', text: '| Röstdatum auf die Tüte drucken | 9 von 12 | Wochen |' },
        { command: 'say', text: '| Die beste Röstung zuerst senden | 7 von 12 | keiner |' },
      ],
    ],
  },
  invoices: {
    group: 'Rechnungen',
    hint: {
      title: 'Zum Ausprobieren: 200 Rechnungen',
      content:
        'Wähle bei **Jede Rechnung prüfen** die Aktion **Ab hier ausführen**. Ein Programm prüft jede Zeile, das nächste markiert die auffälligen und zeichnet ein Diagramm. Öffne danach den Lauf des Workflows und wähle **Rückgängig machen**.',
    },
    agent: {
      name: 'Buchhalter',
      description: 'Führt im Beispielprojekt die Programme aus, die Rechnungen prüfen, ohne Modell',
    },
    file: 'rechnungen.csv',
    table: 'Rechnungen',
    columns: {
      number: 'Nummer',
      supplier: 'Lieferant',
      date: 'Datum',
      due: 'Fällig',
      net: 'Netto',
      tax: 'Steuer',
      total: 'Summe',
      check: 'Prüfung',
      reason: 'Grund',
    },
    states: { ok: 'In Ordnung', odd: 'Auffällig' },
    reasons: {
      sum: 'Netto und Steuer ergeben nicht die Summe',
      rate: 'Die Steuer beträgt nicht 20 %',
      due: 'Vor dem Rechnungsdatum fällig',
      large: 'Ungewöhnlich hoch',
    },
    check: 'Jede Rechnung prüfen',
    mark: 'Auffällige markieren',
    chart: { title: 'Rechnungen nach Lieferant, in Euro', file: 'rechnungen-nach-lieferant.svg' },
  },
  otherwise:
    'Ich spiele nur ein aufgezeichnetes Beispiel ab. Wählen Sie für eine echte Antwort hier ein anderes Modell. Modelle verbinden Sie unter „Einstellungen → Modelle“.',
}
