// Made by scripts/make-health-names.sh: change the script or its data, not this file.

/// Names and raw values of HealthKit as text: a key, a colon and its words a line, long lists over several lines.
enum HealthNames {
    /// Enumeration, then the category types that take its values, other names of a type included.
    static let categoryTypes = """
        Any: handwashing handwashing_event high_heart_rate_event high_heart_rate_notifications hypertension_event
        Any: infrequent_menstrual_cycles intermenstrual_bleeding irregular_heart_rate_notifications
        Any: irregular_heart_rhythm_event irregular_menstrual_cycles lactation low_heart_rate_event
        Any: low_heart_rate_notifications mindful_minutes mindful_session persistent_intermenstrual_bleeding
        Any: pregnancy prolonged_menstrual_periods sexual_activity sleep_apnea_event toothbrushing
        Any: toothbrushing_event
        AppetiteChanges: appetite_changes
        AppleStandHour: apple_stand_hour
        AppleWalkingSteadinessEvent: apple_walking_steadiness_event
        CervicalMucusQuality: cervical_mucus_quality
        Contraceptive: contraceptive
        EnvironmentalAudioExposureEvent: audio_exposure_event environmental_audio_exposure_event
        HeadphoneAudioExposureEvent: headphone_audio_exposure_event
        LowCardioFitnessEvent: low_cardio_fitness_event
        MenopausalState: menopausal_state
        OvulationTestResult: ovulation_test_result
        PregnancyTestResult: pregnancy_test_result
        Presence: mood_changes sleep_changes
        ProgesteroneTestResult: progesterone_test_result
        Severity: abdominal_cramps acne bladder_incontinence bloating breast_pain chest_tightness_or_pain chills
        Severity: constipation coughing diarrhea dizziness dry_skin fainting fatigue fever generalized_body_ache
        Severity: hair_loss headache heartburn hot_flashes loss_of_smell loss_of_taste lower_back_pain
        Severity: memory_lapse nausea night_sweats pelvic_pain rapid_pounding_or_fluttering_heartbeat runny_nose
        Severity: shortness_of_breath sinus_congestion skipped_heartbeat sore_throat vaginal_dryness vomiting
        Severity: wheezing
        SleepAnalysis: sleep_analysis
        VaginalBleeding: bleeding_after_menopause bleeding_after_pregnancy bleeding_during_pregnancy
        VaginalBleeding: menstrual_flow
        """

    /// Enumeration, then `name=raw`, deprecated names included.
    static let categoryValues = """
        Any: not_applicable=0
        AppetiteChanges: unspecified=0 no_change=1 decreased=2 increased=3
        AppleStandHour: stood=0 idle=1
        AppleWalkingSteadinessEvent: initial_low=1 initial_very_low=2 repeat_low=3 repeat_very_low=4
        AudioExposureEvent: loud_environment=1
        CervicalMucusQuality: dry=1 sticky=2 creamy=3 watery=4 egg_white=5
        Contraceptive: unspecified=1 implant=2 injection=3 intrauterine_device=4 intravaginal_ring=5 oral=6
        Contraceptive: patch=7
        EnvironmentalAudioExposureEvent: momentary_limit=1
        HeadphoneAudioExposureEvent: seven_day_limit=1
        LowCardioFitnessEvent: low_fitness=1
        MenopausalState: menopause=1 perimenopause=2 none=3
        MenstrualFlow: unspecified=1 light=2 medium=3 heavy=4 none=5
        OvulationTestResult: negative=1 luteinizing_hormone_surge=2 positive=2 indeterminate=3 estrogen_surge=4
        PregnancyTestResult: negative=1 positive=2 indeterminate=3
        Presence: present=0 not_present=1
        ProgesteroneTestResult: negative=1 positive=2 indeterminate=3
        Severity: unspecified=0 not_present=1 mild=2 moderate=3 severe=4
        SleepAnalysis: in_bed=0 asleep_unspecified=1 asleep=1 awake=2 asleep_core=3 asleep_deep=4 asleep_rem=5
        VaginalBleeding: unspecified=1 light=2 medium=3 heavy=4 none=5
        """

    /// Characteristic, then `name=raw`.
    static let characteristics = """
        activity_move_mode: active_energy=1 apple_move_time=2
        biological_sex: not_set=0 female=1 male=2 other=3
        blood_type: not_set=0 a_positive=1 a_negative=2 b_positive=3 b_negative=4 ab_positive=5 ab_negative=6
        blood_type: o_positive=7 o_negative=8
        fitzpatrick_skin_type: not_set=0 type_i=1 type_ii=2 type_iii=3 type_iv=4 type_v=5 type_vi=6
        wheelchair_use: not_set=0 no=1 yes=2
        """
}
