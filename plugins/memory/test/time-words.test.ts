import assert from 'node:assert/strict';
import { periodOf } from '#memory/services/time-words.js';

/** A Friday. */
const NOW = new Date('2026-11-27T13:00:00Z');
const days = (query: string) => {
  const period = periodOf(query, NOW);
  return period && `${period.since?.slice(0, 10) ?? ''} ${period.until.slice(0, 10)}`;
};

describe('times in a query', () => {
  it('are days of UTC', () => {
    for (const [query, expected] of [
      ['what happened yesterday?', '2026-11-26 2026-11-27'],
      ['Today', '2026-11-27 2026-11-28'],
      ['what did we decide last week', '2026-11-16 2026-11-23'],
      ['this week', '2026-11-23 2026-11-30'],
      ['last month', '2026-10-01 2026-11-01'],
      ['what changed since Monday', '2026-11-23 2026-11-28'],
      ['what changed since last Friday', '2026-11-20 2026-11-28'],
      ['on friday', '2026-11-27 2026-11-28'],
      ['in the last 3 days', '2026-11-24 2026-11-28'],
      ['3 days ago', '2026-11-24 2026-11-25'],
      ['a week ago', '2026-11-16 2026-11-23'],
      ['since yesterday', '2026-11-26 2026-11-28'],
      ['decisions of December', '2025-12-01 2026-01-01'],
      ['in March 2024', '2024-03-01 2024-04-01'],
      ['after 2026-11-20', '2026-11-21 2026-11-28'],
      ['on 2026-11-20', '2026-11-20 2026-11-21'],
      ['three weeks ago', '2026-11-02 2026-11-09'],
      ['the last two weeks', '2026-11-13 2026-11-28'],
      ['the day before yesterday', '2026-11-25 2026-11-26'],
      ['last year', '2025-01-01 2026-01-01'],
      ['in 2025', '2025-01-01 2026-01-01'],
      ['on 20 November', '2026-11-20 2026-11-21'],
      ['on November 20th', '2026-11-20 2026-11-21'],
      ['since Nov 20, 2025', '2025-11-20 2026-11-28'],
      ['on the 3rd of December', '2025-12-03 2025-12-04'],
      ['what did we decide before June?', ' 2026-06-01'],
      ['before 2026-11-20', ' 2026-11-20'],
      ['what happened before last week', ' 2026-11-16'],
      ['decisions until June', ' 2026-07-01'],
      ['what changed up to yesterday', ' 2026-11-27'],
      ['until the end of March 2026', ' 2026-04-01'],
      ['before the end of March 2026', ' 2026-04-01'],
      ['since the beginning of October', '2026-10-01 2026-11-28'],
      ['bugs in Q2', '2026-04-01 2026-07-01'],
      ['decisions of Q4 2025', '2025-10-01 2026-01-01'],
      ['last quarter', '2026-07-01 2026-10-01'],
      ['between May and July', '2026-05-01 2026-08-01'],
      ['from 2026-05-10 to 2026-06-15', '2026-05-10 2026-06-16'],
      ['from October 2025 until January 2026', '2025-10-01 2026-02-01'],
      ['between Monday and today', '2026-11-23 2026-11-28'],
      ['from March to the cloud', '2026-03-01 2026-04-01'],
    ] as const)
      assert.equal(days(query), expected, query);
  });

  it('are read in German and French', () => {
    for (const [query, expected] of [
      ['Was war gestern los?', '2026-11-26 2026-11-27'],
      ['was wurde vorgestern beschlossen', '2026-11-25 2026-11-26'],
      ['was haben wir letzte Woche entschieden', '2026-11-16 2026-11-23'],
      ['in der vergangenen Woche', '2026-11-16 2026-11-23'],
      ['im letzten Monat', '2026-10-01 2026-11-01'],
      ['in den letzten drei Tagen', '2026-11-24 2026-11-28'],
      ['vor 3 Tagen', '2026-11-24 2026-11-25'],
      ['vor einer Woche', '2026-11-16 2026-11-23'],
      ['seit Montag', '2026-11-23 2026-11-28'],
      ['seit März', '2026-03-01 2026-11-28'],
      ['im Oktober 2025', '2025-10-01 2025-11-01'],
      ['am 20. November', '2026-11-20 2026-11-21'],
      ['seit dem 20. November', '2026-11-20 2026-11-28'],
      ["qu'est-ce qui s'est passé hier ?", '2026-11-26 2026-11-27'],
      ['hier', '2026-11-26 2026-11-27'],
      ['les décisions de la semaine dernière', '2026-11-16 2026-11-23'],
      ['le mois dernier', '2026-10-01 2026-11-01'],
      ['ce mois-ci', '2026-11-01 2026-12-01'],
      ['il y a trois jours', '2026-11-24 2026-11-25'],
      ['ces 3 derniers jours', '2026-11-24 2026-11-28'],
      ['depuis lundi', '2026-11-23 2026-11-28'],
      ['depuis le 20 novembre', '2026-11-20 2026-11-28'],
      ['en août 2025', '2025-08-01 2025-09-01'],
      ['was haben wir vor Juni beschlossen', ' 2026-06-01'],
      ['vor letzter Woche', ' 2026-11-16'],
      ['bis Ende Juni', ' 2026-07-01'],
      ['bis zum 20. November', ' 2026-11-21'],
      ['von Mai bis Juli', '2026-05-01 2026-08-01'],
      ['zwischen Mai und Juli', '2026-05-01 2026-08-01'],
      ["qu'avons-nous décidé avant juin", ' 2026-06-01'],
      ["qu'est-ce qui a changé jusqu'en juin", ' 2026-07-01'],
      ['les décisions de mai à juillet', '2026-05-01 2026-08-01'],
      ['les décisions entre mai et juillet', '2026-05-01 2026-08-01'],
    ] as const)
      assert.equal(days(query), expected, query);
  });

  it('are not read into names, or into what is still to come', () => {
    for (const query of [
      'may we ship on Thursdays',
      'Friday deployment',
      'on 2026-02-30',
      'since 2027-01-01',
      'yesterday_report()',
      'todays',
      'on 31 November',
      'error 2025',
      'a limit of 5 may be raised',
      'wo ist hier der Fehler',
      'gestern_bericht()',
      'Freitag der Film',
      'tests before the Friday release',
      'what must be done before Monday for the release',
    ])
      assert.equal(days(query), undefined, query);
  });

  it('stand alone, or beside a subject', () => {
    const alone = (query: string) => {
      const period = periodOf(query, NOW);
      return period?.isAlone && (period.type ?? 'any');
    };
    for (const [query, expected] of [
      ['what did we decide last week?', 'decision'],
      ['what changed since Monday', 'any'],
      ['what did we decide before June?', 'decision'],
      ['what happened between May and July', 'any'],
      ['decisions about releases until June', false],
      ['was haben wir bis Ende Juni beschlossen', 'decision'],
      ['bugs of yesterday', 'bug'],
      ['incidents last quarter', 'incident'],
      ['welche Ausfälle gab es letzte Woche', 'incident'],
      ['what did we fix in the last 10 days', 'bug'],
      ['what did we ship last month', 'feature'],
      ['Was haben wir letzte Woche entschieden?', 'decision'],
      ['was ist gestern passiert', 'any'],
      ['welche Fehler gab es seit Montag', 'bug'],
      ["qu'est-ce qu'on a décidé la semaine dernière ?", 'decision'],
      ["que s'est-il passé hier", 'any'],
      ['was hat der Notar gestern gesagt', false],
      ['what did we decide about the cache last week', false],
      ['format of today in the header', false],
    ] as const)
      assert.equal(alone(query), expected, query);
  });

  it('leave the other words of a query as they are', () => {
    const subject = (query: string) => periodOf(query, NOW)?.subject?.split(/\s+/).filter(Boolean).join(' ');
    for (const [query, expected] of [
      ['what broke last week in the Friday release', 'what broke in the Friday release'],
      ['was brach letzte Woche vor dem Release am Freitag', 'was brach vor dem Release am Freitag'],
      ['was kam gestern zur Planung im Mai', 'was kam zur Planung im Mai'],
      ['Planung vor Ostern, seit vorgestern bis heute nach Plan', 'Planung vor Ostern, bis heute nach Plan'],
    ] as const)
      assert.equal(subject(query), expected, query);
  });
});
