/** How a language says times, and what it says besides them in a question for nothing but a time. */
export interface TimeLanguage {
  /** Times and their prepositions, as English ones: applied in this order. */
  readonly phrases: ReadonlyArray<readonly [RegExp, (groups: Groups) => string]>;
  /** Whether a query is of this language, where its words of time are those of others too. Default: yes. */
  readonly isOf?: (query: string) => boolean;
  readonly subjectless: ReadonlySet<string>;
  /** A word of them that says of tasks that they are not done. */
  readonly open: RegExp;
  /** Words that name a type of records instead of a subject. */
  readonly types: ReadonlyArray<readonly [RegExp, string]>;
}
type Groups = Readonly<Record<string, string>>;

export const WEEKDAYS = list('sunday monday tuesday wednesday thursday friday saturday');
export const MONTHS = list(
  'january february march april may june july august september october november december',
);
const UNITS = list('day week month year');

function list(words: string): string[] {
  return words.split(/\s+/);
}

/** A pattern of whole words; `{x}` stands for one of the words of `names`, in a group of that name. */
function phrase(pattern: string, names: Readonly<Record<string, readonly string[]>> = {}): RegExp {
  const filled = pattern.replaceAll(
    /\{(\w+)\}/g,
    (_all, name: string) => `(?<${name}>${names[name]?.join('|')})`,
  );
  return new RegExp(String.raw`(?<![\p{L}\p{N}_-])(?:${filled})(?![\p{L}\p{N}_-])`, 'giu');
}

/** The English word for one of another language: that in its place. */
function translated(word: string | undefined, from: readonly string[], to: readonly string[]): string {
  return to[from.findIndex((pattern) => new RegExp(`^(?:${pattern})$`, 'iu').test(word ?? ''))] ?? '';
}

/** A number in digits, or as a word of these, which begin with one. */
function numbered(text: string, words: readonly string[]): string {
  const at = words.findIndex((pattern) => new RegExp(`^(?:${pattern})$`, 'iu').test(text));
  return at < 0 ? text : String(at + 1);
}

const ENGLISH_NUMBERS = list('one two three four five six seven eight nine ten eleven twelve');

const english: TimeLanguage = {
  phrases: [
    [phrase('the day before yesterday'), () => '2 days ago'],
    [phrase('last night'), () => 'yesterday'],
    [phrase('this (?:morning|afternoon)|tonight'), () => 'today'],
    [
      phrase('{count}(?= (?:day|week|month|year)s?)', { count: ENGLISH_NUMBERS }),
      ({ count = '' }) => numbered(count, ENGLISH_NUMBERS),
    ],
  ],
  subjectless: new Set(
    list(`a about again all and any anything are been by changed change changes completed could did do does done else events
      everything for from give going got had happen happened happening has have history i in is it just known latest let list made
      make me memory my new news of on open our out please recap recent recently records remind say show so some stored
      summarise summarize summary team tell that the there things this to up update updates us was we went were what when which
      who with work worked working you your`),
  ),
  open: /^open$/,
  types: [
    [/^(?:decid(?:e|ed|ing)|decisions?)$/, 'decision'],
    [/^(?:learn(?:ed|t)?|lessons?)$/, 'lesson'],
    [/^notes?$/, 'note'],
    [/^(?:bugs?|fix(?:ed|es)?)$/, 'bug'],
    [/^(?:incidents?|outages?)$/, 'incident'],
    [/^tasks?$/, 'task'],
    [/^(?:features?|ship(?:ped)?)$/, 'feature'],
    [/^preferences?$/, 'preference'],
    [/^constraints?$/, 'constraint'],
    [/^goals?$/, 'goal'],
    [/^risks?$/, 'risk'],
    [/^habits?$/, 'habit'],
    [/^warnings?$/, 'warning'],
    [/^insights?$/, 'insight'],
  ],
};

const GERMAN = {
  count: list(String.raw`(?:ein(?:e[mnr]?)?) zwei drei vier fünf sechs sieben acht neun zehn elf zwölf`),
  unit: list('tag(?:e[ns]?)? wochen? monat(?:e[ns]?)? jahr(?:e[ns]?)?'),
  weekday: list('sonntags? montags? dienstags? mittwochs? donnerstags? freitags? (?:samstags?|sonnabends?)'),
  month: list(
    '(?:januar|jänner) februar märz april mai juni juli august september oktober november dezember',
  ),
};
const german: TimeLanguage = {
  phrases: [
    [phrase('vorgestern'), () => '2 days ago'],
    [phrase('gestern(?: (?:abend|nacht|morgen|früh))?'), () => 'yesterday'],
    [phrase('heute(?: (?:morgen|früh|abend))?'), () => 'today'],
    [
      phrase(String.raw`vor (?<digits>\d{1,3}|{count}) {unit}`, GERMAN),
      ({ digits = '', unit }) =>
        `${numbered(digits, GERMAN.count)} ${translated(unit, GERMAN.unit, UNITS)} ago`,
    ],
    [
      phrase(String.raw`(?:letzt|vergangen|vorig)e[mnrs]? (?<digits>\d{1,3}|{count}) {unit}`, GERMAN),
      ({ digits = '', unit }) =>
        `last ${numbered(digits, GERMAN.count)} ${translated(unit, GERMAN.unit, UNITS)}`,
    ],
    [
      phrase('(?:letzt|vergangen|vorig)e[mnrs]? {unit}', GERMAN),
      ({ unit }) => `last ${translated(unit, GERMAN.unit, UNITS)}`,
    ],
    [phrase('diese[mnrs]? {unit}', GERMAN), ({ unit }) => `this ${translated(unit, GERMAN.unit, UNITS)}`],
    [
      phrase('letzte[mnrs]? {weekday}', GERMAN),
      (of) => `last ${translated(of['weekday'], GERMAN.weekday, WEEKDAYS)}`,
    ],
    [phrase('{weekday}', GERMAN), ({ weekday }) => translated(weekday, GERMAN.weekday, WEEKDAYS)],
    [
      phrase(String.raw`(?:den )?(?<date>\d{1,2})\. {month}`, GERMAN),
      ({ date, month }) => `${date} ${translated(month, GERMAN.month, MONTHS)}`,
    ],
    [phrase('{month}', GERMAN), ({ month }) => translated(month, GERMAN.month, MONTHS)],
    [phrase('seit(?: de[mnr])?'), () => 'since'],
    [phrase('vor(?: de[mnr])?'), () => 'before'],
    [phrase('bis(?: zum?r?)?(?: ende)?'), () => 'until'],
    [phrase('zwischen(?: de[mnr])?'), () => 'between'],
    [phrase('von(?: de[mnr])?'), () => 'from'],
    [phrase('nach(?: de[mnr])?'), () => 'after'],
    [phrase('a[mn]|im|vom|in(?: de[mnr])?'), () => 'on'],
  ],
  subjectless: new Set(
    list(`alle alles an auf bei bitte da das dem den der die es etwas gab geändert gemacht gearbeitet geschah geschehen
      gewesen gibt haben habe hat hatten ich in from ist los mir neu neue neues offen offene offenen on passiert passierte sich so team uns unser
      und von war waren was welche welchen welcher wer wir wurde wurden worden zeig zeige zu`),
  ),
  open: /^offene?n?$/,
  types: [
    [/^(?:entschied(?:en)?|beschlossen|entscheidung(?:en)?|beschl(?:uss|üsse))$/, 'decision'],
    [/^(?:gelernt|lektion(?:en)?)$/, 'lesson'],
    [/^notiz(?:en)?$/, 'note'],
    [/^(?:bugs?|fehler|behoben)$/, 'bug'],
    [/^(?:vorf(?:all|älle)|störung(?:en)?|ausf(?:all|älle))$/, 'incident'],
    [/^aufgaben?$/, 'task'],
    [/^(?:ziele?)$/, 'goal'],
    [/^(?:risik(?:o|en))$/, 'risk'],
  ],
};

const FRENCH = {
  count: list('une? deux trois quatre cinq six sept huit neuf dix onze douze'),
  unit: list('(?:jours?|journées?) semaines? mois (?:ans?|années?)'),
  weekday: list('dimanche lundi mardi mercredi jeudi vendredi samedi'),
  month: list('janvier février mars avril mai juin juillet août septembre octobre novembre décembre'),
};
const french: TimeLanguage = {
  phrases: [
    [phrase('avant-hier'), () => '2 days ago'],
    [phrase('hier(?: (?:soir|matin))?'), () => 'yesterday'],
    [phrase("aujourd['’]hui|ce (?:matin|soir)"), () => 'today'],
    [
      phrase(String.raw`il y a (?<digits>\d{1,3}|{count}) {unit}`, FRENCH),
      ({ digits = '', unit }) =>
        `${numbered(digits, FRENCH.count)} ${translated(unit, FRENCH.unit, UNITS)} ago`,
    ],
    [
      phrase(String.raw`(?:les|ces|des) (?<digits>\d{1,3}|{count}) derni(?:er|ère)s {unit}`, FRENCH),
      ({ digits = '', unit }) =>
        `last ${numbered(digits, FRENCH.count)} ${translated(unit, FRENCH.unit, UNITS)}`,
    ],
    [
      phrase("(?:l[ea] |l['’])?{unit} (?:derni(?:er|ère)|passée?)", FRENCH),
      ({ unit }) => `last ${translated(unit, FRENCH.unit, UNITS)}`,
    ],
    [
      phrase('ce(?:t|tte)? {unit}(?:-ci)?', FRENCH),
      ({ unit }) => `this ${translated(unit, FRENCH.unit, UNITS)}`,
    ],
    [
      phrase('{weekday} (?:dernier|passé)', FRENCH),
      ({ weekday }) => `last ${translated(weekday, FRENCH.weekday, WEEKDAYS)}`,
    ],
    [phrase('{weekday}', FRENCH), ({ weekday }) => translated(weekday, FRENCH.weekday, WEEKDAYS)],
    [
      phrase(String.raw`(?:le )?(?<date>\d{1,2})(?:er)? {month}`, FRENCH),
      ({ date, month }) => `${date} ${translated(month, FRENCH.month, MONTHS)}`,
    ],
    [phrase('{month}', FRENCH), ({ month }) => translated(month, FRENCH.month, MONTHS)],
    [phrase('depuis(?: l[ea])?'), () => 'since'],
    [phrase('avant(?: l[ea])?'), () => 'before'],
    [phrase("jusqu['’](?:au?|à|en)(?: fin)?"), () => 'until'],
    [phrase('entre(?: l[ea])?'), () => 'between'],
    [phrase(`d[eu](?= (?:\\d|${[...MONTHS, ...WEEKDAYS].join('|')}))`), () => 'from'],
    [phrase('après(?: l[ea])?'), () => 'after'],
    [phrase("en|au mois d[e’']|pendant|durant|au cours de"), () => 'in'],
  ],
  // hier is German for here, mars and mai are names.
  isOf: (query) =>
    /^\s*(?:avant-)?hier\s*(?:\?\s*)?$|(?<![\p{L}\p{N}])(?:aujourd|qu|que|quoi|quel(?:le)?s?|quand|qui|est|nous|avons|avez|ont|été|les?|la|du|depuis|cette|ces?|il y a|en|pourquoi|comment)(?![\p{L}\p{N}])/iu.test(
      query,
    ),
  subjectless: new Set(
    list(`a ai as au avez avons ce ces cette changé changements chose choses d dans de des dis du en est et était été eu
      fait faits il in ils in j l la le les liste me moi montre n ne nous nouveau nouveautés on ont ou où ouverte ouvertes par pas passé passés
      pour qu quand que quel quelle quelles quels qui quoi s sont souvenirs sur t tout toutes tu un une y équipe`),
  ),
  open: /^ouvertes?$/,
  types: [
    [/^(?:décid(?:er?|é|ée|és|ées)|décisions?)$/, 'decision'],
    [/^(?:appris|leçons?)$/, 'lesson'],
    [/^notes?$/, 'note'],
    [/^(?:bugs?|corrigés?|corrections?)$/, 'bug'],
    [/^(?:incidents?|pannes?)$/, 'incident'],
    [/^tâches?$/, 'task'],
    [/^(?:objectifs?)$/, 'goal'],
    [/^(?:risques?)$/, 'risk'],
  ],
};

export const LANGUAGES: readonly TimeLanguage[] = [english, german, french];

/** A query with its times in English. */
export interface InEnglish {
  readonly text: string;
  /** The first or last characters of `text` as they were in the query. */
  first(length: number): string;
  last(length: number): string;
}

/** A query with its times in English; the rest stays. */
export function inEnglish(query: string, { phrases }: TimeLanguage): InEnglish {
  let text = query;
  /** For each character of `text`, and its end, the place in the query. */
  let places = Array.from({ length: query.length + 1 }, (_none, at) => at);
  for (const [pattern, replace] of phrases) {
    let done = '';
    let donePlaces: number[] = [];
    let from = 0;
    for (const { index, 0: found, groups = {} } of text.matchAll(pattern)) {
      const english = replace(groups);
      done += text.slice(from, index) + english;
      const same = Array.from(english, () => places[index] ?? 0);
      donePlaces = donePlaces.concat(places.slice(from, index), same);
      from = index + found.length;
    }
    text = done + text.slice(from);
    places = donePlaces.concat(places.slice(from));
  }
  return {
    text,
    first: (length) => query.slice(0, places[length]),
    last: (length) => query.slice(places[text.length - length]),
  };
}
