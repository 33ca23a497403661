// What types are called, and which belong together.

const names = {
  active_energy_burned: "Active energy", basal_energy_burned: "Resting energy", apple_exercise_time: "Exercise minutes",
  apple_stand_time: "Stand minutes", apple_stand_hour: "Stand hours", apple_move_time: "Move minutes",
  distance_walking_running: "Walking + running distance", distance_cycling: "Cycling distance", distance_swimming: "Swimming distance",
  body_mass: "Weight", body_mass_index: "Body mass index", body_fat_percentage: "Body fat", lean_body_mass: "Lean body mass",
  heart_rate_variability_sdnn: "Heart rate variability", heart_rate_variability_rmssd: "Heart rate variability (RMSSD)",
  walking_heart_rate_average: "Walking heart rate", heart_rate_recovery_one_minute: "Heart rate recovery",
  vo2_max: "Cardio fitness (VO₂ max)", oxygen_saturation: "Blood oxygen", flights_climbed: "Floors climbed",
  environmental_audio_exposure: "Environmental sound", headphone_audio_exposure: "Headphone sound",
  mindful_session: "Mindful minutes", sleep_analysis: "Sleep", workout: "Workouts", workout_route: "Workout routes",
  activity_summary: "Activity rings", six_minute_walk_test_distance: "Six-minute walk", apple_walking_steadiness: "Walking steadiness",
  apple_sleeping_wrist_temperature: "Wrist temperature", walking_asymmetry_percentage: "Walking asymmetry",
  walking_double_support_percentage: "Double support time", gad7_assessment: "GAD-7 assessment", phq9_assessment: "PHQ-9 assessment",
  atrial_fibrillation_burden: "Atrial fibrillation history", time_in_daylight: "Time in daylight", dietary_energy_consumed: "Energy eaten",
  dietary_water: "Water", dietary_caffeine: "Caffeine",
};

/** `heart_rate` to `Heart rate`. A name that no catalog has is shown as the sender wrote it, but for its underscores. */
export function typeName(type) {
  if (names[type]) return names[type];
  const words = type.replace(/^dietary_/, "").replace(/^apple_/, "").replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const groups = [
  ["activity", "Activity", /steps|flights|energy_burned|exercise|stand|move_time|^distance|push_count|stroke_count|physical_effort|daylight|activity_summary|nike|effort_score/],
  ["heart", "Heart", /heart|vo2|fibrillation|blood_pressure|cardio|perfusion|hypertension/],
  ["sleep", "Sleep", /sleep/],
  ["body", "Body", /^body_(?!temperature)|lean_body|height|waist|temperature|electrodermal/],
  ["breath", "Breathing", /respiratory|oxygen|vital_capacity|expiratory|inhaler/],
  ["mobility", "Walking and movement", /walking|stair_|six_minute|running_|cycling_|rowing_|_speed|fallen|underwater|water_temp|workout/],
  ["food", "Food and drink", /^dietary|alcohol|insulin|glucose/],
  ["sound", "Hearing", /audio|sound/],
  ["mind", "Mind", /mindful|state_of_mind|gad7|phq9|mood/],
];

/** The key of a type's group, which is also the name of its colour. */
export const groupOf = (type) => groups.find(([, , pattern]) => pattern.test(type))?.[0] ?? "other";
export const groupName = (key) => groups.find(([name]) => name === key)?.[1] ?? "Everything else";

/** A source, `{app, device}`, in one line. */
export function sourceName(source) {
  if (!source) return "unknown";
  const { device } = source;
  // Health itself is where all of it comes from; only other apps are worth a word.
  const app = device && /^com\.apple\./i.test(source.app ?? "") ? null : source.app;
  if (app && device && app !== device) return `${device} · ${app}`;
  return device ?? app ?? "unnamed source";
}
export const sourceKey = (source) => `${source.app ?? ""}\u0000${source.device ?? ""}`;

const activities = { high_intensity_interval_training: "Interval training", traditional_strength_training: "Strength training",
  functional_strength_training: "Functional strength", mind_and_body: "Mind and body" };
export function activityName(activity) {
  if (!activity) return "Workout";
  const words = (activities[activity] ?? activity).replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export const stages = [
  ["awake", "Awake"], ["asleep_rem", "REM"], ["asleep_core", "Core"], ["asleep_deep", "Deep"], ["asleep_unspecified", "Asleep"],
  ["in_bed", "In bed"],
];
export const stageName = (stage) => stages.find(([key]) => key === stage)?.[1] ?? stage;
